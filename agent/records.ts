import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { type Assignment, assignment, attemptStats, type Fence, fenceKey } from "../shared/protocol.ts";
import { intent, published } from "../shared/work.ts";
import { readTextIfThere, removeFolderIfThere, removeIfThere, writeDurably } from "./disk.ts";
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
  /** Before the attempt makes anything; what it makes without having begun would never be swept. */
  begin(attempt: Assignment, temps: readonly string[]): Promise<void>;
  keepMade(fence: Fence, made: Made): Promise<void>;
  /** A folder of the attempt's own, there since it began. */
  scratch(fence: Fence): string;
  load(): Promise<StoredAttempt[]>;
  /** Deletes what the attempt made and has not shown, but not its record. */
  removeTemps(fence: Fence): Promise<void>;
  /** Deletes that and the record: the attempt was never here. */
  forget(fence: Fence): Promise<void>;
};

export const createRecords = (folder: string, farmId: string): Records => {
  const at = (fence: Fence, name = ""): string => join(folder, fenceKey(fence), name);
  /** Attempts that have a record: the paths of what is to be swept, undefined once that is done. */
  const recorded = new Map<string, readonly string[] | undefined>();

  const removeTemps = async (fence: Fence): Promise<void> => {
    const temps = recorded.get(fenceKey(fence));
    if (temps === undefined) return;
    await sweep(temps);
    await removeFolderIfThere(at(fence, "scratch"));
    recorded.set(fenceKey(fence), undefined);
  };

  return {
    begin: async (attempt, temps) => {
      const { fence } = attempt;
      await mkdir(at(fence, "scratch"), { recursive: true, mode: 0o700 });
      recorded.set(fenceKey(fence), temps);
      // Not flushed: it outlives the agent, and a power cut that takes it takes what was made in the seconds since.
      await writeFile(at(fence, "attempt.json"), JSON.stringify({ farmId, assignment: attempt, temps }), {
        mode: 0o600,
      });
    },
    keepMade: (fence, made) => writeDurably(at(fence, "intent.json"), JSON.stringify(made)),
    scratch: (fence) => at(fence, "scratch"),
    load: async () => {
      const stored: StoredAttempt[] = [];
      for (const name of await readdir(folder)) {
        const record = parseJsonAs(attemptRecord, await readTextIfThere(join(folder, name, "attempt.json")));
        const made = parseJsonAs(madeSchema, await readTextIfThere(join(folder, name, "intent.json")));
        if (record?.farmId === farmId) {
          recorded.set(fenceKey(record.assignment.fence), record.temps);
          stored.push({ ...record, made });
          continue;
        }
        await sweep(record?.temps ?? []);
        await removeIfThere(join(folder, name)); // damaged at its birth, or of a farm that was left
      }
      return stored;
    },
    removeTemps,
    forget: async (fence) => {
      await removeTemps(fence);
      if (!recorded.delete(fenceKey(fence))) return;
      for (const name of ["attempt.json", "intent.json"]) await removeIfThere(at(fence, name));
      await removeFolderIfThere(at(fence));
    },
  };
};

/** Only names that attempts give are ever removed. */
const sweep = async (temps: readonly string[]): Promise<void> => {
  for (const temp of temps) if (isTempName(basename(temp))) await removeIfThere(temp);
};
