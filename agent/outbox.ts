import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type Fence, fenceKey, type Report, report } from "../shared/protocol.ts";
import { readTextIfThere, removeIfThere, writeDurably } from "./disk.ts";
import { parseJsonAs } from "./json.ts";
import type { Log } from "./log.ts";

const letter = z.strictObject({ sequence: z.number().int(), report });
type Letter = z.output<typeof letter>;

/** Reports that the coordinator has not taken yet: on disk, in the order in which they were written. */
export type Outbox = {
  put(report: Report): Promise<void>;
  waiting(): readonly Report[];
  remove(fence: Fence): Promise<void>;
};

export const openOutbox = async (folder: string, log: Log): Promise<Outbox> => {
  const letters = new Map((await loadLetters(folder, log)).map((each) => [fenceKey(each.report.fence), each]));
  let sequence = Math.max(0, ...[...letters.values()].map((each) => each.sequence));
  const fileOf = (fence: Fence): string => join(folder, `${fenceKey(fence)}.json`);
  return {
    put: async (report) => {
      const next = { sequence: ++sequence, report };
      letters.set(fenceKey(report.fence), next);
      try {
        await writeDurably(fileOf(report.fence), JSON.stringify(next));
      } catch (error) {
        // It is still handed in from memory; only a crash before that loses it, and the task with it runs again.
        log.error("A report cannot be kept on disk", { fence: fenceKey(report.fence), error });
      }
    },
    waiting: () => [...letters.values()].sort((a, b) => a.sequence - b.sequence).map((each) => each.report),
    remove: async (fence) => {
      letters.delete(fenceKey(fence));
      await removeIfThere(fileOf(fence));
    },
  };
};

const loadLetters = async (folder: string, log: Log): Promise<Letter[]> => {
  const letters: Letter[] = [];
  for (const name of (await readdir(folder)).filter((each) => each.endsWith(".json"))) {
    const found = parseJsonAs(letter, await readTextIfThere(join(folder, name)));
    if (found) letters.push(found);
    else log.error("A report on disk is damaged and is left out", { file: join(folder, name) });
  }
  return letters;
};
