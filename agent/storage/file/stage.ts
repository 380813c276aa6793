import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import { TaskError } from "../../../shared/model/failure.ts";
import { copyBytes } from "../../disk/copy-bytes.ts";
import { hasCode, syncFolder } from "../../disk/file-system.ts";
import { removeTree } from "../../roots/open-folder.ts";
import type { Sending } from "../storage.ts";
import { flushAndReadIdentity } from "./identity.ts";

/** Puts a file made elsewhere beside its target: moved within one file system, else copied. */
export const sendBeside = async ({ path, move, signal, pace, onBytes }: Sending, temp: string): Promise<string> => {
  await removeTree(temp); // an incomplete copy from before this attempt restarted
  try {
    await rename(path, temp);
  } catch (error) {
    if (!hasCode(error, "EXDEV")) throw error;
    await copyBytes({ from: path, to: temp, signal, pace: pace.take, onPosition: onBytes });
    await removeTree(path);
  }
  const there = await flushAndReadIdentity(temp);
  if (there?.identity !== move.identity)
    throw new TaskError("storage", `${move.temp} is incomplete: some bytes of ${path} are missing`);
  await syncFolder(dirname(temp));
  return move.temp;
};
