import { join } from "node:path";
import type { Piece } from "../shared/asset.ts";
import { TaskError } from "../shared/causes.ts";
import type { FolderPlace } from "../shared/folder-place.ts";
import { joinUri } from "../shared/location.ts";
import type { Fence } from "../shared/protocol.ts";
import { assetsOf } from "../shared/references.ts";
import type { FolderFile } from "../shared/watching.ts";
import { isFolder, type Output, type Work, type WorkAsset } from "../shared/work.ts";
import type { FileId } from "./checked-file.ts";
import { folderPlaceOf } from "./folder-place.ts";
import { type Listing, listFiles } from "./list-files.ts";
import { type FileNeeds, type Reader, resolveFile } from "./resolve-file.ts";
import { resolveInput, statSource } from "./resolve-input.ts";
import type { StorageOf } from "./storage/index.ts";
import type { FileStat, Storage } from "./storage/storage.ts";
import { tempName } from "./temp-name.ts";

export type ResolvedInput = {
  readonly uri: string;
  /** ffmpeg's input: the path of a file, or a name for the joined bytes or the numbered images of several files. */
  readonly path: string;
  /** A list file to write first, when there are too many files for one command line. */
  readonly list?: { readonly path: string; readonly text: string };
  /** All checked files, in reading order. */
  readonly files: readonly ResolvedFile[];
};
/** A checked file of this node. */
export type LocalFile = {
  readonly path: string;
  readonly size: number;
  readonly modified: number;
  readonly id: FileId;
};
export type ResolvedFile = {
  readonly uri: string;
  /** Of the file, or of its copy on this node; the address itself of a remote file that no program reads. */
  readonly path: string;
  readonly size: number;
  readonly modified: number;
  /** The real path, where `path` only leads to what the node keeps open. */
  readonly name?: string;
  /** `path` leads to what the attempt keeps open. */
  readonly isHeld?: boolean;
  /** Programs open it by its name, because this node could not keep it open: it is checked again at the end. */
  readonly isByName?: boolean;
  /** Which file had this path when it was checked; absent for one that lies elsewhere. */
  readonly id?: FileId;
  /** When anything about it last changed, its name included. */
  readonly changed?: number;
  /** What was seen of a file that lies elsewhere; absent for one that this node opens itself. */
  readonly remote?: FileStat;
  /** A copy of that remote file, in that state, which this node happens to have. */
  readonly copy?: LocalFile;
} & Omit<Piece, "uri">;

export type ResolvedOutput = {
  readonly id: string;
  readonly output: Output;
  readonly storage: Storage;
  readonly finalUri: string;
  /** For messages: a path if there is one, else the URI. */
  readonly final: string;
  /** Where it waits, hidden, until it is published: a file, or the folder of an output of many files. */
  readonly tempUri: string;
  /** The path that steps write to, and its URI unless it is in the attempt's own folder. */
  readonly made: string;
  readonly madeUri: string | undefined;
};

/** The output was made where it waits, so nothing has to be uploaded or moved. */
export const isMadeInPlace = ({ madeUri, tempUri }: ResolvedOutput): boolean => madeUri === tempUri;

/** Whether a copy sends the whole file on from where it lies: to somewhere else, and kept open until it is there. */
export const mayBeSent = ({ isHeld, from }: ResolvedFile, { madeUri }: Pick<ResolvedOutput, "madeUri">): boolean =>
  isHeld === true && from === undefined && madeUri === undefined;

/** Where a task's files are on this node. */
export type ResolvedPaths = {
  readonly inputs: ReadonlyMap<string, ResolvedInput>;
  readonly outputs: ReadonlyMap<string, ResolvedOutput>;
};

/** The attempt's number, and a folder of its own. */
export type AttemptFolder = { readonly fence: Fence; readonly scratch: string };

export type PathResolver = {
  /** Finds and checks all inputs and outputs of the work. Creates nothing but copies of remote files that programs read. */
  resolve(work: Work, attempt: AttemptFolder, listener: FetchListener): Promise<ResolvedPaths>;
  /** The current total size and latest change of an asset's files; undefined while any of them is missing. */
  stat(asset: WorkAsset): Promise<ResolvedFile | undefined>;
  /** The files of a folder that are meant. */
  list(what: Listing, signal: AbortSignal): AsyncIterable<FolderFile>;
  /** Whether a folder that was listed exists, and what it is on. */
  place(folder: string, isEmpty: boolean): Promise<FolderPlace | undefined>;
  /** The real path of an existing file within the roots, or of a copy of a remote one. */
  file(uri: string, signal: AbortSignal): Promise<string>;
};

/** Hears of the bytes that are fetched. */
export type FetchListener = Pick<Reader, "signal" | "onBytes" | "onBreak">;

export type PathResolverNeeds = FileNeeds & {
  /** Names the attempt to the cache. */
  readonly user: string;
};

export const createPathResolver = ({ user, ...needs }: PathResolverNeeds): PathResolver => ({
  resolve: async (work, attempt, listener) => {
    const { locate, roots, storageOf } = needs;
    const inputs = new Map<string, ResolvedInput>();
    const streamed = streamedAssets(work);
    const sent = sentAssets(work, storageOf);
    for (const [id, asset] of Object.entries(work.assets)) {
      const own = { list: join(attempt.scratch, `input_${id}.txt`), pictures: join(attempt.scratch, `input_${id}`) };
      const fetches = !streamed.has(id);
      const reader = { ...listener, user, fetches, holds: fetches || sent.has(id), keepSec: asset.cacheSec };
      inputs.set(id, await resolveInput(asset, own, reader, needs));
    }
    const outputs = resolveOutputs(work, attempt, storageOf);
    for (const { storage, output } of outputs) {
      await storage.refuse(output.folder);
      if (output.temp?.folder !== undefined) await roots.mayCreate(locate(output.temp.folder));
    }
    for (const place of outputs) refuseOwnSource(place, [...inputs.values()]);
    return { inputs, outputs: new Map(outputs.map((place) => [place.id, place])) };
  },
  stat: (asset) => statSource(asset, needs),
  list: (what, signal) => listFiles(what, needs, signal),
  place: (folder, isEmpty) => folderPlaceOf(folder, isEmpty, needs),
  file: async (uri, signal) => (await resolveFile(uri, { user, signal, fetches: true }, needs)).path,
});

/** What steps of our own alone read: its bytes need not lie on this node. */
const streamedAssets = ({ assets, steps }: Work): ReadonlySet<string> => {
  const read = new Set(steps.flatMap((step) => (step.do === "copy" ? [] : assetsOf(step))));
  return new Set(Object.keys(assets).filter((id) => !read.has(id)));
};

/** What a copy sends on from where it lies. */
const sentAssets = ({ outputs, steps }: Work, storageOf: StorageOf): ReadonlySet<string> => {
  const isElsewhere = (id: string): boolean => {
    const folder = outputs[id]?.folder;
    return folder !== undefined && storageOf(folder).pathOf === undefined;
  };
  const files = steps.flatMap((step) => (step.do === "copy" ? step.files : []));
  return new Set(files.filter(({ from, to }) => from.length === 1 && isElsewhere(to)).flatMap(({ from }) => from));
};

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

/** The job's temporary folder, else the target's folder, else, where programs cannot write there, this node. */
const workPathOf = ({ id, output, storage, temp, storageOf, scratch }: WorkPathNeeds) => {
  const folder = output.temp?.folder;
  if (folder !== undefined) {
    // Targets of the same name in different folders may share this temporary folder.
    const madeUri = joinUri(folder, temp.replace(/^\./, `.${id}-`));
    const made = storageOf(folder).pathOf?.(madeUri);
    if (made !== undefined) return { made, madeUri };
    throw new TaskError("capability", `Temporary files cannot be made in ${folder}: no program can write there`);
  }
  const madeUri = joinUri(output.folder, temp);
  const made = storage.pathOf?.(madeUri);
  return made === undefined ? { made: join(scratch, `${id}-${temp}`), madeUri: undefined } : { made, madeUri };
};

/** The same for two names that a case-insensitive file system cannot tell apart. */
const asOneName = (path: string): string => (process.platform === "linux" ? path : path.toLowerCase());

/** Under these policies the second of two equal names is changed. */
const mayShareName: ReadonlySet<string> = new Set(["rename_new", "rename_org"]);

const refuseOwnSource = ({ output, final }: ResolvedOutput, inputs: readonly ResolvedInput[]): void => {
  const isRead = inputs.some(({ files }) => files.some(({ path, name = path }) => name === final));
  if (output.existing !== "delete_and_replace" || !isRead) return;
  throw new TaskError(
    "definition",
    `${final} is the task's own source: delete_and_replace would delete it before it is read`,
  );
};
