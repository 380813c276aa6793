import { getOrInsert } from "../../shared/basics/get-or-insert.ts";
import type { Failure } from "../../shared/model/failure.ts";
import type { ElementSpec } from "../../shared/model/job.ts";
import type { GraphConnection } from "../../shared/model/job-graph.ts";
import type { StepResults } from "../../shared/model/step-result.ts";
import type { Published, Work } from "../../shared/work/work.ts";
import {
  type FileRow,
  type FindingRow,
  filesAtMost,
  filesAVersion,
  findingsAtMost,
  type JobOutline,
  type OutputRow,
  type RunCount,
  type TaskViewRow,
  type VersionFiles,
} from "./job-reads.ts";
import { parsed } from "./json.ts";
import type { OpenWork, RecentAttempt, WorkSample } from "./recent-attempts.ts";
import { countBatches, type NodeProfile, type RunBatches } from "./rows.ts";

/**
 * From rows whose JSON has to be looked into to what is read. Engines ask for the rows, in their own SQL; they share what
 * is made of them.
 */

export type RawOutline = Readonly<Record<"elements" | "connections" | "warnings", string>>;
export type RawRunCount = Omit<RunCount, "failure" | "below"> & {
  readonly found: number;
  readonly failure: string | null;
};
export type RawBatches = Pick<RunCount, "uid" | "state"> & { readonly batches: string };

export const outlineOf = (
  row: RawOutline | undefined,
  enumerations: readonly RawBatches[],
  counts: Iterable<RawRunCount>,
): JobOutline => ({
  elements: specsIn(row?.elements).map(({ uid, kind, name }) => ({ uid, kind, name })),
  connections: parsed<GraphConnection[]>(row?.connections) ?? [],
  warnings: parsed<string[]>(row?.warnings) ?? [],
  runs: runsOf(enumerations, counts),
});

/** How many instances of each element are in each state. */
const runsOf = (enumerations: readonly RawBatches[], counts: Iterable<RawRunCount>): RunCount[] =>
  [...counts].map(({ found, failure, ...row }) => {
    const own = enumerations.filter(({ uid, state }) => uid === row.uid && state === row.state);
    const others = ended.has(row.state) ? row.n - found : 0;
    const below = own.reduce((sum, { batches }) => sum + countBatches(parsed<RunBatches>(batches)), others);
    return { ...row, failure: parsed<Failure>(failure) ?? null, below };
  });

const ended: ReadonlySet<RunCount["state"]> = new Set(["succeeded", "failed", "skipped"]);

export const specsIn = (elements: string | undefined): ElementSpec[] => parsed<ElementSpec[]>(elements) ?? [];

export const nodeNameIn = (hello: string | undefined): string | null => parsed<NodeProfile>(hello)?.name ?? null;

export type RawTaskView = Omit<TaskViewRow, "failure" | "node" | "published"> & {
  readonly failure: string | null;
  readonly published: string | null;
};

export const taskViewOf = (
  { failure, published, ...row }: RawTaskView,
  nodeName: (id: number) => string | null,
): TaskViewRow => {
  const { cause, message } = parsed<Failure>(failure) ?? {};
  const weaker = parsed<Published>(published)?.weaker;
  return {
    ...row,
    failure: cause && { cause, message: message ?? "" },
    published: weaker && { weaker },
    node: row.node_id === null ? null : nodeName(row.node_id),
  };
};

export type RawPublished = {
  readonly task_id: number;
  readonly element_uid: string;
  readonly work: string;
  readonly published: string;
};

/** The files that one task published, in the order of its outputs. */
export function* outputsIn({ task_id, element_uid, work, published }: RawPublished): Generator<OutputRow> {
  const planned = parsed<Work>(work)?.outputs ?? {};
  let position = 0;
  for (const [key, files] of Object.entries(parsed<Published>(published)?.outputs ?? {})) {
    const version = planned[key]?.version ?? key;
    for (const file of files) {
      yield { element_uid, task_id, position, version, file };
      position += 1;
    }
  }
}

/** Counts the files of each version and lists the first ones. */
export const collectVersions = () => {
  const versions = new Map<string, VersionFiles & { file_count: number; readonly files: FileRow[] }>();
  let left = filesAtMost;
  return {
    add: ({ element_uid, version, file }: OutputRow): void => {
      const none = () => ({ element_uid, version, file_count: 0, files: [] });
      const known = getOrInsert(versions, `${element_uid}\n${version}`, none);
      known.file_count += 1;
      if (left === 0 || known.files.length === filesAVersion) return;
      left -= 1;
      known.files.push({ uri: file.uri, size: file.size ?? null, facts: file.facts });
    },
    all: (): VersionFiles[] => [...versions.values()],
  };
};

/** Counts files and keeps those of one page. */
export const collectOutputs = (skip: number, take: number) => {
  const rows: OutputRow[] = [];
  let count = 0;
  return {
    add: (row: OutputRow): void => {
      if (count >= skip && rows.length < take) rows.push(row);
      count += 1;
    },
    all: () => ({ rows, count }),
  };
};

export type RawFinding = Omit<FindingRow, "results"> & { readonly published: string };

/** Collects results until they are as much as is wanted. */
export const collectFindings = (atMost: number) => {
  const found: FindingRow[] = [];
  let characters = 0;
  return {
    /** False: no more are wanted. */
    add: ({ published, ...row }: RawFinding): boolean => {
      const results = parsed<{ results?: StepResults | null }>(published)?.results;
      if (typeof results !== "object" || results === null || Array.isArray(results)) return true;
      characters += JSON.stringify(results).length;
      if (characters > atMost || found.length >= findingsAtMost) return false;
      found.push({ ...row, results });
      return true;
    },
    all: (): FindingRow[] => found,
  };
};

export type RawRecent = Omit<RecentAttempt, "cause" | "message"> & { readonly failure: string | null };

export const recentAttemptOf = ({ failure: text, ...row }: RawRecent): RecentAttempt => {
  const failure = parsed<Failure>(text);
  return { ...row, cause: failure?.cause ?? null, message: failure?.message?.slice(0, 500) ?? null };
};

type Effort = ReturnType<typeof effortOf>;
export type RawSample = Omit<WorkSample, "wallMs" | keyof Effort> & {
  readonly work: string;
  readonly stats: string | null;
};

export const sampleOf = ({ work, stats, ...row }: RawSample): WorkSample => ({
  ...row,
  wallMs: parsed<{ wallMs?: number }>(stats)?.wallMs ?? null,
  ...effortOf(work),
});

export type RawOpenWork = Omit<OpenWork, keyof Effort> & { readonly work: string };

export const openWorkOf = ({ work, ...row }: RawOpenWork): OpenWork => ({ ...row, ...effortOf(work) });

/** How much work it is. */
const effortOf = (text: string) => {
  const { steps = [], outputs = {} }: Partial<Work> = parsed<Work>(text) ?? {};
  const durations = steps.flatMap((step) => ("duration" in step && step.duration ? [step.duration] : []));
  const videos = Object.values(outputs).flatMap(({ expect }) => expect?.video ?? []);
  const codecs = videos.flatMap(({ codec }) => codec ?? []).sort();
  const sizes = videos.flatMap(({ width, height }) => (width && height ? [width * height] : []));
  return {
    seconds: durations.length > 0 ? Math.max(...durations) : null,
    codec: codecs.at(-1) ?? null,
    pixels: sizes.length > 0 ? sizes.reduce((sum, size) => sum + size, 0) : null,
  };
};
