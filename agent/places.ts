import { basename, dirname, join } from "node:path";
import type { Piece } from "../shared/asset.ts";
import { TaskError } from "../shared/causes.ts";
import { joinUri, type PathFlavour } from "../shared/location.ts";
import { resolveUri } from "../shared/mounts.ts";
import type { Fence, Mount } from "../shared/protocol.ts";
import type { Output, Work } from "../shared/work.ts";
import { filePlace, inputPlace } from "./input-place.ts";
import type { Roots } from "./roots.ts";
import { tempName } from "./temp-name.ts";

export type InputPlace = {
  readonly uri: string;
  /** What ffmpeg is given: a file's path, or what stands for the joined bytes or the numbered pictures of several. */
  readonly path: string;
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
  readonly folder: string;
  readonly finalUri: string;
  readonly final: string;
  /** A file; of a sequence the folder in which its files are made. */
  readonly tempUri: string;
  readonly temp: string;
};

/** Where a task's files lie on this node. */
export type Places = {
  readonly inputs: ReadonlyMap<string, InputPlace>;
  readonly outputs: ReadonlyMap<string, OutputPlace>;
};

export type Locator = {
  /** Finds and checks all that the work names; makes nothing. */
  places(work: Work, fence: Fence): Promise<Places>;
  /** A file as it is now; undefined where nothing is. */
  look(uri: string): Promise<FilePlace | undefined>;
  /** The real path of a file that must be there, within the roots. */
  file(uri: string): Promise<string>;
  /** The path of a file that may not be there, in a folder that must be; undefined where the folder is not. */
  within(uri: string): Promise<string | undefined>;
};

export type LocatorNeeds = {
  readonly mounts: () => readonly Mount[];
  readonly flavour: PathFlavour;
  readonly roots: Roots;
};

export const createLocator = ({ mounts, flavour, roots }: LocatorNeeds): Locator => {
  const locate = (uri: string): string => resolveUri(uri, mounts(), flavour);
  return {
    places: async (work, fence) => {
      const inputs = new Map<string, InputPlace>();
      for (const [id, asset] of Object.entries(work.assets)) inputs.set(id, await inputPlace(asset, locate, roots));
      const outputs = outputPlaces({ outputs: work.outputs, fence, locate });
      for (const place of outputs) await roots.mayCreate(place.folder);
      for (const place of outputs) refuseOwnSource(place, [...inputs.values()]);
      return { inputs, outputs: new Map(outputs.map((place) => [place.id, place])) };
    },
    look: async (uri) => {
      const path = locate(uri);
      return (await roots.ifThere(path)) === undefined ? undefined : filePlace(path, roots);
    },
    file: async (uri) => (await filePlace(locate(uri), roots)).path,
    within: async (uri) => {
      const path = locate(uri);
      const folder = await roots.ifThere(dirname(path));
      return folder === undefined ? undefined : join(folder, basename(path));
    },
  };
};

type OutputNeeds = {
  readonly outputs: Work["outputs"];
  readonly fence: Fence;
  readonly locate: (uri: string) => string;
};

const outputPlaces = ({ outputs, fence, locate }: OutputNeeds): OutputPlace[] => {
  const seen = new Map<string, number>();
  return Object.entries(outputs).map(([id, output]) => {
    const finalUri = joinUri(output.folder, output.name);
    const final = locate(finalUri);
    const turn = (seen.get(asOneName(final)) ?? 0) + 1;
    seen.set(asOneName(final), turn);
    if (turn > 1 && !mayShareName.has(output.existing)) {
      throw new TaskError("definition", `Two outputs of the task have the same name: ${final}`);
    }
    const tempUri = joinUri(output.folder, tempName({ name: output.name, fence, turn, isSequence: output.isSequence }));
    return { id, output, folder: dirname(final), finalUri, final, tempUri, temp: locate(tempUri) };
  });
};

/** Where capital letters make no other name. */
const asOneName = (path: string): string => (process.platform === "linux" ? path : path.toLowerCase());

/** The policies under which the second of two files gets a name of its own. */
const mayShareName: ReadonlySet<string> = new Set(["rename_new", "rename_org"]);

const refuseOwnSource = ({ output, final }: OutputPlace, inputs: readonly InputPlace[]): void => {
  if (output.existing !== "delete_and_replace" || !inputs.some(({ path }) => path === final)) return;
  throw new TaskError("definition", `${final} is the task's own source: delete_and_replace would delete it unread`);
};
