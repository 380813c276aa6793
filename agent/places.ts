import { join } from "node:path";
import type { Piece } from "../shared/asset.ts";
import { TaskError } from "../shared/causes.ts";
import { joinUri } from "../shared/location.ts";
import type { Fence } from "../shared/protocol.ts";
import { isFolder, type Output, type Work, type WorkAsset } from "../shared/work.ts";
import { arrivedPlace, filePlace, inputPlace } from "./input-place.ts";
import type { Roots } from "./roots.ts";
import type { StorageOf } from "./storage/index.ts";
import type { Storage } from "./storage/storage.ts";
import { tempName } from "./temp-name.ts";

export type InputPlace = {
  readonly uri: string;
  /** What ffmpeg is given: a file's path, or what stands for the joined bytes or the numbered pictures of several. */
  readonly path: string;
  /** What must be written first: the names of files that are too many for a command. */
  readonly list?: { readonly path: string; readonly text: string };
  /** Every file that is read, checked; in their order. */
  readonly files: readonly FilePlace[];
};
export type FilePlace = { readonly path: string; readonly size: number; readonly modified: number } & Omit<
  Piece,
  "uri"
>;

export type OutputPlace = {
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
export const isMadeInPlace = ({ madeUri, tempUri }: OutputPlace): boolean => madeUri === tempUri;

/** Where a task's files lie on this node. */
export type Places = {
  readonly inputs: ReadonlyMap<string, InputPlace>;
  readonly outputs: ReadonlyMap<string, OutputPlace>;
};

/** Whose places, and a folder of its own. */
export type Attempt = { readonly fence: Fence; readonly scratch: string };

export type Locator = {
  /** Finds and checks all that the work names; makes nothing. */
  places(work: Work, attempt: Attempt): Promise<Places>;
  /** The files of an asset as they are now, their sizes together; undefined while any of them is missing. */
  look(asset: WorkAsset): Promise<FilePlace | undefined>;
  /** The real path of a file that must be there, within the roots. */
  file(uri: string): Promise<string>;
};

export type LocatorNeeds = {
  readonly locate: (uri: string) => string;
  readonly roots: Roots;
  readonly storageOf: StorageOf;
};

export const createLocator = ({ locate, roots, storageOf }: LocatorNeeds): Locator => ({
  places: async (work, attempt) => {
    const inputs = new Map<string, InputPlace>();
    for (const [id, asset] of Object.entries(work.assets)) {
      const list = join(attempt.scratch, `input_${id}.txt`);
      inputs.set(id, await inputPlace(asset, locate, roots, list));
    }
    const outputs = outputPlaces(work, attempt, storageOf);
    for (const { storage, output } of outputs) {
      await storage.refuse(output.folder);
      if (output.temp?.folder !== undefined) await roots.mayCreate(locate(output.temp.folder));
    }
    for (const place of outputs) refuseOwnSource(place, [...inputs.values()]);
    return { inputs, outputs: new Map(outputs.map((place) => [place.id, place])) };
  },
  look: (asset) => arrivedPlace(asset, locate, roots),
  file: async (uri) => (await filePlace(locate(uri), roots)).path,
});

const outputPlaces = ({ outputs }: Work, attempt: Attempt, storageOf: StorageOf): OutputPlace[] => {
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
    const making = makingPlace({ output, id, storage, temp, storageOf, scratch });
    return { id, output, storage, finalUri, final, tempUri, ...making };
  });
};

type MakingWish = Pick<OutputPlace, "id" | "output" | "storage"> &
  Pick<Attempt, "scratch"> & { readonly temp: string; readonly storageOf: StorageOf };

/** In the folder that the job names for it, else beside the target, else, where no program can write, on this node. */
const makingPlace = ({ id, output, storage, temp, storageOf, scratch }: MakingWish) => {
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

const refuseOwnSource = ({ output, final }: OutputPlace, inputs: readonly InputPlace[]): void => {
  if (output.existing !== "delete_and_replace" || !inputs.some(({ path }) => path === final)) return;
  throw new TaskError("definition", `${final} is the task's own source: delete_and_replace would delete it unread`);
};
