import { elementOf } from "../../media/elements/index.ts";
import { AppError } from "../../shared/basics/errors.ts";
import type { AssetFile } from "../../shared/model/asset.ts";
import type { Files } from "./files.ts";
import { nodeWithFile, type Parts, streamNodeFile } from "./node-files.ts";

/** The files that a task made, in the order of `listOutputs`. */
export const filesOfTask = async (farm: Pick<Files, "store">, taskId: number): Promise<AssetFile[]> => {
  const task = await farm.store.jobs.task(taskId);
  if (!task) throw new AppError("NOT_FOUND", `There is no task ${taskId}`);
  return Object.values(task.published?.outputs ?? {}).flat();
};

/** One of them. Throws AppError if there is none. */
export const fileOfTask = async (farm: Pick<Files, "store">, taskId: number, position: number): Promise<AssetFile> => {
  const file = (await filesOfTask(farm, taskId))[position];
  if (!file) throw new AppError("NOT_FOUND", `Task ${taskId} made no file ${position}`);
  return file;
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

/** A file that can be read for people through the node that has it. */
export type MediaLocation = { readonly size: number; readonly nodeId: number };

/**
 * The node through which a file that a task made can be read, behind that node's own guard. The coordinator opens nothing
 * by a name that a node, a job or a report gave. Throws AppError in words if no connected node has the file.
 */
export const locateMedia = async (farm: Files, taskId: number, file: AssetFile): Promise<MediaLocation> =>
  nodeWithFile(farm, file, (await farm.store.jobs.task(taskId))?.node_id ?? null);

/** The bytes of a range, both ends included. */
export const readMedia = (
  farm: Parts,
  { uri }: AssetFile,
  { nodeId, size }: MediaLocation,
  range: { readonly start: number; readonly end: number },
) => streamNodeFile(farm, { uri, size, nodeId }, range);
