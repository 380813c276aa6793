import type { Assignment } from "../../shared/protocol/messages.ts";
import type { StepKind, Work } from "../../shared/work/work.ts";
import type { Checkpoint } from "../checkpoint.ts";
import { applyExisting } from "../paths/existing-files.ts";
import { refuseUnsafeInputs } from "../paths/input-guard.ts";
import { needsLists, writeInputLists } from "../paths/input-lists.ts";
import type { ResolvedOutput, ResolvedPaths } from "../paths/resolved-paths.ts";
import type { StorageView } from "../paths/storage-view.ts";
import type { Records } from "./records.ts";

type PathNeeds = {
  readonly view: StorageView;
  readonly records: Records;
  readonly checkpoint: Checkpoint;
  readonly confirm: (signal: AbortSignal) => Promise<void>;
};

type Preparing = {
  readonly signal: AbortSignal;
  /** Bytes of remote inputs fetched so far, of so many; 0: of an unknown number. */
  readonly onBytes: (bytes: number, of: number) => void;
  /** Receives a sentence about each connection that broke and is tried again. */
  readonly onBreak: (sentence: string) => void;
  /** Repeats an action while a server is unavailable. */
  readonly patiently: <T>(act: () => Promise<T>) => Promise<T>;
};

/**
 * Resolves an attempt's inputs and outputs, records what it may leave behind, and opens its targets for writing.
 * Throws TaskError, for example for an unsafe input or an existing target.
 */
export const preparePaths = async (
  assignment: Assignment,
  { view, records, checkpoint, confirm }: PathNeeds,
  { patiently, ...listener }: Preparing,
): Promise<ResolvedPaths> => {
  const { fence, work } = assignment;
  const { resolver, mounts } = view;
  const paths = await resolver.resolve(work, { fence, scratch: records.scratch(fence) }, listener);
  await refuseUnsafeInputs(work, paths);
  const outputs = [...paths.outputs.values()];
  const temps = outputs.flatMap(({ tempUri, madeUri }) => [...new Set([tempUri, madeUri ?? tempUri])]);
  if (leavesTraces(work) || needsLists(paths)) await records.begin(assignment, { mounts, temps });
  await checkpoint("recorded");
  await writeInputLists(paths);
  const opened = new Map<string, ResolvedOutput>();
  for (const place of outputs) {
    await patiently(() => prepareOutput(place, view, () => confirm(listener.signal)));
    opened.set(place.id, await view.open(place));
  }
  return { inputs: paths.inputs, outputs: opened };
};

/** Steps that only read files leave nothing behind for the next agent to clean up. */
const leavesTraces = ({ steps }: Work): boolean => steps.some((step) => !onlyReads.has(step.do));

const onlyReads: ReadonlySet<StepKind> = new Set([
  "probe",
  "list",
  "manifest",
  "frames",
  "request",
  "email",
  "javascript",
]);

const prepareOutput = async (
  place: ResolvedOutput,
  { storageOf }: StorageView,
  confirm: () => Promise<void>,
): Promise<void> => {
  const { output, storage } = place;
  await storage.prepare(output.folder);
  const folder = output.temp?.folder;
  if (folder !== undefined) await storageOf(folder).prepare(folder);
  await applyExisting(place, confirm);
};
