import type { Piece } from "../../shared/model/asset.ts";
import type { Output } from "../../shared/work/work.ts";
import type { FileId, LocalFile } from "../roots/checked-file.ts";
import type { FileStat, Storage } from "../storage/storage.ts";

export type ResolvedInput = {
  readonly uri: string;
  /** ffmpeg's input: the path of a file, or a name for the joined bytes or the numbered images of several files. */
  readonly path: string;
  /** A list file to write first, when there are too many files for one command line. */
  readonly list?: { readonly path: string; readonly text: string };
  /** All checked files, in reading order. */
  readonly files: readonly ResolvedFile[];
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
  readonly isOpened?: boolean;
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
export const mayBeSent = ({ isOpened, from }: ResolvedFile, { madeUri }: Pick<ResolvedOutput, "madeUri">): boolean =>
  isOpened === true && from === undefined && madeUri === undefined;

/** Where a task's files are on this node. */
export type ResolvedPaths = {
  readonly inputs: ReadonlyMap<string, ResolvedInput>;
  readonly outputs: ReadonlyMap<string, ResolvedOutput>;
};
