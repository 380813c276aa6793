import { open } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AppError } from "../../shared/basics/errors.ts";
import { hasCode, readTextIfThere, removeIfThere } from "../disk/file-system.ts";
import { parseJsonAs } from "../disk/json.ts";
import type { Run } from "./run.ts";
import { processStart } from "./start-time.ts";

const holder = z.strictObject({ pid: z.number().int(), started: z.string() });

/** Locks the data folder for this process; returns the unlock function. Two agents would publish each other's files. */
export const lockDataDir = async (dataDir: string, pid: number, run: Run): Promise<() => Promise<void>> => {
  const path = join(dataDir, "agent.pid");
  const started = (await processStart(pid, run)) ?? "";
  for (let tries = 0; tries < 3; tries++) {
    if (await createExclusively(path, JSON.stringify({ pid, started }))) return () => removeIfThere(path);
    await refuseIfAlive(path, dataDir, run);
    await removeIfThere(path); // left by a crash: its process is gone
  }
  throw inUse(dataDir, "another agent that is just starting");
};

const createExclusively = async (path: string, text: string): Promise<boolean> => {
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(text).finally(() => file.close());
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
};

const refuseIfAlive = async (path: string, dataDir: string, run: Run): Promise<void> => {
  const found = parseJsonAs(holder, await readTextIfThere(path));
  if (!found) return; // half-written in a crash
  const { pid, started } = found;
  if ((await processStart(pid, run)) === started) throw inUse(dataDir, `the agent with process number ${pid}`);
};

const inUse = (dataDir: string, who: string): AppError =>
  new AppError("CONFLICT", `The data folder ${dataDir} is in use by ${who}; stop it or choose another with --data`);
