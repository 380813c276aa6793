import { join } from "node:path";
import type { Piece } from "../shared/asset.ts";
import { TaskError } from "../shared/causes.ts";
import { joinUri } from "../shared/location.ts";
import type { Fence } from "../shared/protocol.ts";
import { isFolder, type Output, type Work, type WorkAsset } from "../shared/work.ts";
import { resolveFile, resolveInput, statSource } from "./resolve-input.ts";
import type { Roots } from "./roots.ts";
import type { StorageOf } from "./storage/index.ts";
import type { Storage } from "./storage/storage.ts";
import { tempName } from "./temp-name.ts";

export type ResolvedInput = {
  readonly uri: string;
  /** What ffmpeg is given: a file's path, or what stands for the joined bytes or the numbered pictures of several. */
  readonly path: string;
  /** What must be written first: the names of files that are too many for a command. */
  readonly list?: { readonly path: string; readonly text: string };
  /** Every file that is read, checked; in their order. */
  readonly files: readonly ResolvedFile[];
};
export type ResolvedFile = { readonly path: string; readonly size: number; readonly modified: number } & Omit<
  Piece,
  "uri"
>;

export type ResolvedOutput = {
  readonly id: string;
  readonly output: Output;
  readonly storage: Storage;
  readonly finalUri: string;
  /** As people read it: a path where it has one. */
  readonly final: string;
  /** Where it waits unseen: a file, or the folder of an output of many files. */
  readonly tempUri: string;
  /** The path where steps make it, and its address where that is not the attempt's own folder. */
  readonly made: string;
  readonly madeUri: string | undefined;
};

/** What was made lies where it is to wait: nothing has to be sent there. */
export const isMadeInPlace = ({ madeUri, tempUri }: ResolvedOutput): boolean => madeUri === tempUri;

/** Where a task's files lie on this node. */
export type ResolvedPaths = {
  readonly inputs: ReadonlyMap<string, ResolvedInput>;
  readonly outputs: ReadonlyMap<string, ResolvedOutput>;
};

/** Whose places, and a folder of its own. */
export type AttemptFolder = { readonly fence: Fence; readonly scratch: string };

export type PathResolver = {
  /** Finds and checks all that the work names; makes nothing. */
  resolve(work: Work, attempt: AttemptFolder): Promise<ResolvedPaths>;
  /** The files of an asset as they are now, their sizes together; undefined while any of them is missing. */
  stat(asset: WorkAsset): Promise<ResolvedFile | undefined>;
  /** The real path of a file that must be there, within the roots. */
  file(uri: string): Promise<string>;
};

export type PathResolverNeeds = {
  readonly locate: (uri: string) => string;
  readonly roots: Roots;
  readonly storageOf: StorageOf;
};

export const createPathResolver = ({ locate, roots, storageOf }: PathResolverNeeds): PathResolver => ({
  resolve: async (work, attempt) => {
    const inputs = new Map<string, ResolvedInput>();
    for (const [id, asset] of Object.entries(work.assets)) {
      const list = join(attempt.scratch, `input_${id}.txt`);
      inputs.set(id, await resolveInput(asset, locate, roots, list));
    }
    const outputs = resolveOutputs(work, attempt, storageOf);
    for (const { storage, output } of outputs) {
      await storage.refuse(output.folder);
      if (output.temp?.folder !== undefined) await roots.mayCreate(locate(output.temp.folder));
    }
    for (const place of outputs) refuseOwnSource(place, [...inputs.values()]);
    return { inputs, outputs: new Map(outputs.map((place) => [place.id, place])) };
  },
  stat: (asset) => statSource(asset, locate, roots),
  file: async (uri) => (await resolveFile(locate(uri), roots)).path,
});

const resolveOutputs = ({ outputs }: Work, attempt: AttemptFolder, storageOf: StorageOf): ResolvedOutput[] => {
  const seen = new Map<string, number>();
  return Object.entries(outputs).map(([id, output]) => {
    const storage = storageOf(output.folder);
    const finalUri = joinUri(output.folder, output.name);
    const final = storage.pathOf?.(finalUri) ?? finalUri;
    const turn = (seen.get(asOneName(final)) ?? 0) + 1;
    seen.set(asOneName(final), turn);
    if (turn > 1 && !mayShareName.has(output.existing)) {
      throw new TaskError("definition", `Two outputs of the task have the same name: ${final}`);
    }
    const { fence, scratch } = attempt;
    const temp = tempName({ name: (output.temp?.prefix ?? "") + output.name, fence, turn, isFolder: isFolder(output) });
    const tempUri = joinUri(output.folder, temp);
    const producer = workPathOf({ output, id, storage, temp, storageOf, scratch });
    return { id, output, storage, finalUri, final, tempUri, ...producer };
  });
};

type WorkPathNeeds = Pick<ResolvedOutput, "id" | "output" | "storage"> &
  Pick<AttemptFolder, "scratch"> & { readonly temp: string; readonly storageOf: StorageOf };

/** In the folder that the job names for it, else beside the target, else, where no program can write, on this node. */
const workPathOf = ({ id, output, storage, temp, storageOf, scratch }: WorkPathNeeds) => {
  const folder = output.temp?.folder;
  if (folder !== undefined) {
    // Two targets of one name may go to two folders, and be made in one.
    const madeUri = joinUri(folder, temp.replace(/^\./, `.${id}-`));
    const made = storageOf(folder).pathOf?.(madeUri);
    if (made !== undefined) return { made, madeUri };
    throw new TaskError("capability", `Temporary files cannot be made in ${folder}: no program can write there`);
  }
  const madeUri = joinUri(output.folder, temp);
  const made = storage.pathOf?.(madeUri);
  return made === undefined ? { made: join(scratch, `${id}-${temp}`), madeUri: undefined } : { made, madeUri };
};

/** Where capital letters make no other name. */
const asOneName = (path: string): string => (process.platform === "linux" ? path : path.toLowerCase());

/** The policies under which the second of two files gets a name of its own. */
const mayShareName: ReadonlySet<string> = new Set(["rename_new", "rename_org"]);

const refuseOwnSource = ({ output, final }: ResolvedOutput, inputs: readonly ResolvedInput[]): void => {
  if (output.existing !== "delete_and_replace" || !inputs.some(({ path }) => path === final)) return;
  throw new TaskError(
    "definition",
    `${final} is the task's own source: delete_and_replace would delete it before it is read`,
  );
};
