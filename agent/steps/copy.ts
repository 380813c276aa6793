import { constants } from "node:fs";
import { copyFile, open, stat } from "node:fs/promises";
import { TaskError } from "../../shared/causes.ts";
import { hasCode, removeIfThere } from "../disk.ts";
import type { Performer, StepContext } from "./step.ts";

const chunkSize = 1024 * 1024;

export const performCopy: Performer<"copy"> = async ({ from, to }, context) => {
  const source = context.places.inputs.get(from);
  const target = context.places.outputs.get(to);
  if (!source || !target) throw new TaskError("definition", `A copy names ${from} and ${to}: one is not there`);
  context.log.line(`copy ${source.path} to ${target.final}`);
  const before = await stat(source.path);
  const isCloned = await clone(source.path, target.temp);
  if (!isCloned) await copyBytes({ from: source.path, to: target.temp, size: before.size, context });
  await refuseDifference({ from: source.path, to: target.temp, before });
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

type Bytes = { readonly from: string; readonly to: string; readonly size: number; readonly context: StepContext };

const copyBytes = async ({ from, to, size, context }: Bytes): Promise<void> => {
  const source = await open(from, "r");
  try {
    const target = await open(to, "wx", 0o666);
    try {
      const buffer = Buffer.alloc(chunkSize);
      for (let position = 0; ; ) {
        context.signal.throwIfAborted();
        const { bytesRead } = await source.read(buffer, 0, chunkSize, position);
        if (bytesRead === 0) break;
        for (let written = 0; written < bytesRead; ) {
          written += (await target.write(buffer, written, bytesRead - written)).bytesWritten;
        }
        position += bytesRead;
        context.onProgress({ percent: size === 0 ? undefined : Math.min(100, (position / size) * 100) });
      }
      await target.sync();
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};

type Compared = { readonly from: string; readonly to: string; readonly before: { size: number; mtimeMs: number } };

/** A file that somebody wrote to meanwhile would be a mixture of two states. */
const refuseDifference = async ({ from, to, before }: Compared): Promise<void> => {
  const [after, copy] = await Promise.all([stat(from), stat(to)]);
  if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
    throw new TaskError("source", `${from} changed while it was copied`);
  }
  if (copy.size !== before.size) throw new TaskError("storage", `The copy of ${from} has not all of its bytes`);
};
