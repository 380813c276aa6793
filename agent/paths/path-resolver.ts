import { join } from "node:path";
import { namesDatabase } from "../../shared/files/data-folder.ts";
import type { FolderIdentity } from "../../shared/files/folder-identity.ts";
import { joinUri } from "../../shared/files/location.ts";
import { capabilityError, definitionError, type TaskError } from "../../shared/model/failure.ts";
import type { Fence } from "../../shared/protocol/messages.ts";
import type { FolderFile } from "../../shared/work/folder-watch.ts";
import { assetsOf } from "../../shared/work/references.ts";
import { isFolder, type Work, type WorkAsset } from "../../shared/work/work.ts";
import type { StorageOf } from "../storage/index.ts";
import { tempName } from "../storage/temp-name.ts";
import { readFolderLocation } from "./folder-location.ts";
import { type Listing, listFiles } from "./list-files.ts";
import { type FileNeeds, type Reader, resolveFile } from "./resolve-file.ts";
import { resolveInput, statSource } from "./resolve-input.ts";
import type { ResolvedFile, ResolvedInput, ResolvedOutput, ResolvedPaths } from "./resolved-paths.ts";

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
  place(folder: string, isEmpty: boolean): Promise<FolderIdentity | undefined>;
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
  place: (folder, isEmpty) => readFolderLocation(folder, isEmpty, needs),
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
      throw definitionError(`Two outputs of the task have the same name: ${final}`);
    }
    if (namesDatabase(output.name)) throw refusedName(output.name);
    const { fence, scratch } = attempt;
    const temp = tempName({ name: (output.temp?.prefix ?? "") + output.name, fence, turn, isFolder: isFolder(output) });
    const tempUri = joinUri(output.folder, temp);
    const workPath = workPathOf({ output, id, storage, temp, storageOf, scratch });
    return { id, output, storage, finalUri, final, tempUri, ...workPath };
  });
};

/** For an output with the name of a coordinator's database. */
export const refusedName = (name: string): TaskError =>
  definitionError(`No output may be called ${name}: that is the name of a coordinator's database`);

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
    throw capabilityError(`Temporary files cannot be made in ${folder}: no program can write there`);
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
  throw definitionError(`${final} is the task's own source: delete_and_replace would delete it before it is read`);
};
