import { constants } from "node:fs";
import { copyFile, stat } from "node:fs/promises";
import { TaskError } from "../../shared/causes.ts";
import { copyBytes } from "../copy-bytes.ts";
import { hasCode, removeIfThere } from "../disk.ts";
import type { Performer } from "./step.ts";

export const performCopy: Performer<"copy"> = async ({ from, to }, context) => {
  const source = context.paths.inputs.get(from);
  const target = context.paths.outputs.get(to);
  if (!source || !target)
    throw new TaskError("definition", `A copy names ${from} and ${to}, but the task lacks one of them`);
  context.log.line(`copy ${source.path} to ${target.final}`);
  const before = await stat(source.path);
  const isCloned = await clone(source.path, target.made);
  const onPosition = (position: number) =>
    context.onProgress({ percent: before.size === 0 ? undefined : Math.min(100, (position / before.size) * 100) });
  const { signal, pause } = context;
  if (!isCloned) await copyBytes({ from: source.path, to: target.made, signal, pause, onPosition });
  await refuseDifference({ from: source.path, to: target.made, before });
  context.onProgress({ percent: 100 });
  return undefined;
};

/** File systems that share blocks between files copy in no time. */
const clone = async (from: string, to: string): Promise<boolean> => {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) throw error;
    await removeIfThere(to); // not every file system can, and each says so with a code of its own
    return false;
  }
};

type Compared = { readonly from: string; readonly to: string; readonly before: { size: number; mtimeMs: number } };

/** A file that somebody wrote to meanwhile would be a mixture of two states. */
const refuseDifference = async ({ from, to, before }: Compared): Promise<void> => {
  const [after, copy] = await Promise.all([stat(from), stat(to)]);
  if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
    throw new TaskError("source", `${from} changed while it was being copied`);
  }
  if (copy.size !== before.size) throw new TaskError("storage", `The copy of ${from} is incomplete`);
};
