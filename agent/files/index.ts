import { AppError, messageOf } from "../../shared/basics/errors.ts";
import type { PathFlavour } from "../../shared/files/location.ts";
import { type Mount, resolveUri } from "../../shared/files/mounts.ts";
import type { FileRequest, FileResponse } from "../../shared/protocol/node-files.ts";
import type { StorageViewOf } from "../paths/storage-view.ts";
import type { Previews } from "../previews/index.ts";
import { openChecked } from "../roots/checked-file.ts";
import { prepareRoots, type Roots } from "../roots/roots.ts";
import { findFiles } from "./find.ts";
import { listFolder } from "./list.ts";
import { sweep } from "./sweep.ts";
import { tryKeys } from "./try.ts";

export type FilesNeeds = {
  readonly roots: readonly string[];
  /** Folders of Mediafarm itself. */
  readonly own: readonly string[];
  readonly mounts: () => readonly Mount[];
  readonly flavour: PathFlavour;
  readonly viewOf: StorageViewOf;
  readonly previews: Pick<Previews, "answer">;
};

/** Answers what people ask of this node's files, in folders that it lends and nowhere else. */
export const createFiles = ({ roots: folders, own, mounts, flavour, viewOf, previews }: FilesNeeds) => {
  const rootsOf = prepareRoots(folders, own);
  const answer = async (ask: FileRequest, signal: AbortSignal): Promise<FileResponse> => {
    const current = mounts();
    const roots = rootsOf(() => current);
    const tops = [...new Set([...folders, ...current.map(({ folder }) => folder)])];
    if (ask.do === "read") return readPiece(ask, roots, pathOf(ask.uri, current, flavour));
    if (ask.do === "preview" || ask.do === "segment" || ask.do === "still")
      return previews.answer(ask, await roots.existing(pathOf(ask.uri, current, flavour)), signal);
    if (ask.do === "list") return { is: "folder", listing: await listFolder(ask.path, tops, roots) };
    if (ask.do === "try") return tryKeys(ask, viewOf);
    if (ask.do === "sweep") return sweep(ask, roots, (uri) => pathOf(uri, current, flavour));
    return { is: "found", paths: await findFiles(ask, tops, roots) };
  };
  let open = 0;
  return async (ask: FileRequest, signal: AbortSignal = new AbortController().signal): Promise<FileResponse> => {
    if (open >= mostAtOnce) return { is: "busy", message: "This node answers many such questions already: try again" };
    open += 1;
    try {
      return await answer(ask, signal);
    } catch (problem) {
      const message = messageOf(problem).slice(0, 2000);
      return { is: problem instanceof AppError && problem.code === "UNAVAILABLE" ? "busy" : "refused", message };
    } finally {
      open -= 1;
    }
  };
};

/** Work comes first: people who look at files wait for each other. */
const mostAtOnce = 24;

/** Outputs are named by an address, or by the path itself. */
const pathOf = (uri: string, mounts: readonly Mount[], flavour: PathFlavour): string =>
  /^(\/|[a-z]:[\\/])/i.test(uri) ? uri : resolveUri(uri, mounts, flavour);

type Read = Extract<FileRequest, { do: "read" }>;

const readPiece = async ({ from, length, size }: Read, roots: Roots, path: string): Promise<FileResponse> => {
  await using file = await openChecked(await roots.existing(path));
  const stats = await file.stat();
  if (!stats.isFile()) return { is: "refused", message: `${path} is not a regular file` };
  if (size !== undefined && stats.size !== size)
    return { is: "refused", message: `Another file lies there now: ${stats.size} bytes, and ${size} were made` };
  const buffer = Buffer.alloc(Math.max(0, Math.min(length, stats.size - from)));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
  return { is: "piece", size: stats.size, data: buffer.subarray(0, bytesRead).toString("base64") };
};
