import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { sep } from "node:path";
import { elementOf } from "../../media/elements/index.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { mergeMounts, resolveUri } from "../../shared/files/mounts.ts";
import type { AssetFile } from "../../shared/model/asset.ts";
import { TaskError } from "../../shared/model/failure.ts";
import { readMounts } from "../nodes/mounts.ts";
import type { Files } from "./files.ts";
import { nodesWithFiles, nodeWithFile, streamNodeFile } from "./node-files.ts";

const flavour = process.platform === "win32" ? "win32" : "posix";

/** The files that a task made, in the order of `listOutputs`. */
export const filesOfTask = async (farm: Pick<Files, "store">, taskId: number): Promise<AssetFile[]> => {
  const task = await farm.store.jobs.task(taskId);
  if (!task) throw new AppError("NOT_FOUND", `There is no task ${taskId}`);
  return Object.values(task.published?.outputs ?? {}).flat();
};

/** The first file of a job's source, as the job found it; undefined before it is known. */
export const firstSourceFile = async (
  { store }: Pick<Files, "store">,
  jobId: number,
): Promise<AssetFile | undefined> => {
  const source = (await store.load.row("definitions", jobId))?.elements.find(({ kind }) => elementOf(kind)?.isSource);
  const [run] = source ? await store.load.runsOf(jobId, source.uid) : [];
  return run?.assets[0]?.files[0];
};

/** A file that can be read for people: here, or through a node that has it. */
export type MediaLocation = { readonly size: number; readonly path?: string; readonly nodeId?: number };

/** Where a file that a task made can be read. Throws AppError NOT_FOUND if neither this machine nor a node has it. */
export const locateMedia = async (farm: Files, taskId: number, file: AssetFile): Promise<MediaLocation> => {
  try {
    return await localPath(farm, file);
  } catch (problem) {
    const maker = (await farm.store.jobs.task(taskId))?.node_id ?? null;
    if (nodesWithFiles(farm, maker).length === 0) throw problem;
    return nodeWithFile(farm, file, maker);
  }
};

/** The bytes of a range, both ends included. */
export const readMedia = (
  farm: Pick<Files, "registry" | "vault" | "credentials" | "nodeRequests">,
  file: AssetFile,
  place: MediaLocation,
  range: { start: number; end: number },
) =>
  place.nodeId === undefined
    ? createReadStream(place.path ?? "", range)
    : streamNodeFile(farm, { uri: file.uri, size: place.size, nodeId: place.nodeId }, range);

/**
 * The path of a file that a task made, on the coordinator's own machine. Throws AppError NOT_FOUND if it is not here,
 * if it is outside the folders that nodes may use, or if another file has replaced it.
 */
const localPath = async (farm: Files, { uri, size }: AssetFile): Promise<{ path: string; size: number }> => {
  const path = await pathOf(farm, uri);
  const real = await realpath(path).catch(() => undefined);
  const found = real === undefined ? undefined : await stat(real);
  if (real === undefined || !found?.isFile())
    throw notHere(
      "The file does not lie on the coordinator's machine, or somebody moved it: open it where it was made",
    );
  if (!(await isInside(farm, real))) throw notHere("The file lies outside the folders that this farm may read");
  if (size !== undefined && size !== found.size)
    throw notHere(`Another file lies there now: ${found.size} bytes, and ${size} were made`);
  return { path: real, size: found.size };
};

const notHere = (message: string): AppError => new AppError("NOT_FOUND", message);

const pathOf = async (farm: Pick<Files, "store">, uri: string): Promise<string> => {
  if (uri.startsWith("/")) return uri;
  try {
    return resolveUri(uri, mergeMounts([], await readMounts(farm), flavour), flavour);
  } catch (problem) {
    if (!(problem instanceof TaskError)) throw problem;
    throw notHere("The coordinator cannot reach this storage: a mount of the farm would let it");
  }
};

/** Folders that nodes may read or that the farm mounts; some may not exist on this machine. */
export const foldersHere = async (farm: Pick<Files, "store" | "registry">): Promise<string[]> => [
  ...new Set([
    ...farm.registry.rows().flatMap(({ profile }) => profile.roots),
    ...mergeMounts([], await readMounts(farm), flavour).map(({ folder }) => folder),
  ]),
];

/** Whether a real path lies below one of these folders. */
export const isInside = async (farm: Pick<Files, "store" | "registry">, real: string): Promise<boolean> => {
  for (const folder of await foldersHere(farm)) {
    const root = await realpath(folder).catch(() => undefined);
    if (root !== undefined && real.startsWith(root.endsWith(sep) ? root : root + sep)) return true;
  }
  return false;
};
