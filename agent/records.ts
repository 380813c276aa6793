import { mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { type Assignment, assignment, attemptStats, type Fence, fenceKey } from "../shared/protocol.ts";
import { intent, published } from "../shared/work.ts";
import { readTextIfThere, removeIfThere, writeDurably } from "./disk.ts";
import { parseJsonAs } from "./json.ts";
import { isTempName } from "./temp-name.ts";

const attemptRecord = z.strictObject({
  farmId: z.string(),
  assignment,
  /** Every path that the attempt makes outside of the data folder. */
  temps: z.array(z.string()),
});

/** What an attempt has made and how; on disk before anyone is asked for a grant. */
const madeSchema = z.strictObject({
  intent,
  found: published.shape.found,
  stats: attemptStats,
  log: z.string(),
});
export type Made = z.output<typeof madeSchema>;

type StoredAttempt = {
  readonly assignment: Assignment;
  readonly temps: readonly string[];
  /** Undefined: it came no further than running. */
  readonly made: Made | undefined;
};

/** Attempts on disk, one folder each: what a new agent needs to go on or to clean up after one that died. */
export type Records = {
  begin(attempt: Assignment, temps: readonly string[]): Promise<void>;
  keepMade(fence: Fence, made: Made): Promise<void>;
  scratch(fence: Fence): Promise<string>;
  load(): Promise<StoredAttempt[]>;
  /** Deletes what the attempt made and has not shown, but not its record. */
  removeTemps(fence: Fence): Promise<void>;
  /** Deletes that and the record: the attempt was never here. */
  forget(fence: Fence): Promise<void>;
};

export const createRecords = (folder: string, farmId: string): Records => {
  const at = (fence: Fence, name = ""): string => join(folder, fenceKey(fence), name);
  const removeTempsIn = async (attemptFolder: string): Promise<void> => {
    const record = parseJsonAs(attemptRecord, await readTextIfThere(join(attemptFolder, "attempt.json")));
    for (const temp of record?.temps ?? []) if (isTempName(basename(temp))) await removeIfThere(temp);
    await removeIfThere(join(attemptFolder, "scratch"));
  };
  const forgetFolder = async (attemptFolder: string): Promise<void> => {
    await removeTempsIn(attemptFolder);
    await removeIfThere(attemptFolder);
  };
  return {
    begin: async (attempt, temps) => {
      await mkdir(at(attempt.fence), { recursive: true, mode: 0o700 });
      await writeDurably(at(attempt.fence, "attempt.json"), JSON.stringify({ farmId, assignment: attempt, temps }));
    },
    keepMade: (fence, made) => writeDurably(at(fence, "intent.json"), JSON.stringify(made)),
    scratch: async (fence) => {
      await mkdir(at(fence, "scratch"), { recursive: true });
      return at(fence, "scratch");
    },
    load: async () => {
      const stored: StoredAttempt[] = [];
      for (const name of await readdir(folder)) {
        const record = parseJsonAs(attemptRecord, await readTextIfThere(join(folder, name, "attempt.json")));
        const made = parseJsonAs(madeSchema, await readTextIfThere(join(folder, name, "intent.json")));
        if (record?.farmId === farmId) stored.push({ ...record, made });
        else await forgetFolder(join(folder, name)); // damaged at its birth, or of a farm that was left
      }
      return stored;
    },
    removeTemps: (fence) => removeTempsIn(at(fence)),
    forget: (fence) => forgetFolder(at(fence)),
  };
};
