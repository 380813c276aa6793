import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "../../shared/basics/clock.ts";
import { type Fence, fenceKey, type Report, report } from "../../shared/protocol/messages.ts";
import { readTextIfThere } from "../disk/file-system.ts";
import { parseJsonAs } from "../disk/json.ts";
import { newNameOf, removeOwnFile, writeDurably, writeOwnFile } from "../disk/own-files.ts";
import type { Log } from "../log.ts";

const letter = z.strictObject({ sequence: z.number().int(), report });
type Letter = z.output<typeof letter>;

/** Reports that the coordinator has not stored yet, in writing order. */
export type Outbox = {
  /** Resolves when the report survives this process. If it waits longer, it is flushed to survive a power cut. */
  put(report: Report): Promise<void>;
  waiting(): readonly Report[];
  /** It waits no longer, even if its file cannot be removed: then this rejects, and can be asked for again. */
  remove(fence: Fence): Promise<void>;
  /** Resolves when all waiting reports are flushed to disk. */
  keep(): Promise<void>;
};

export type OutboxNeeds = { readonly folder: string; readonly log: Log; readonly clock: Clock };

/**
 * Nearly all reports are stored within milliseconds. If a power cut loses one before that, the task's next
 * attempt finds the granted files published.
 */
const patienceMs = 1000;

export const openOutbox = async ({ folder, log, clock }: OutboxNeeds): Promise<Outbox> => {
  const letters = new Map((await loadLetters(folder, log)).map((each) => [fenceKey(each.report.fence), each]));
  let sequence = Math.max(0, ...[...letters.values()].map((each) => each.sequence));
  const fileOf = (fence: Fence): string => join(folder, `${fenceKey(fence)}.json`);
  /** By fence: the write in progress, and how to cancel the later flush. */
  const writing = new Map<string, Promise<void>>();
  const unflushed = new Map<string, () => void>();
  /** Files of reports that wait no longer. */
  const unwanted = new Set<string>();
  /** Reports of which a write failed: it may have left a part. */
  const torn = new Set<string>();

  const write = async (next: Letter, writeText: WriteText): Promise<void> => {
    const { fence } = next.report;
    await writing.get(fenceKey(fence));
    try {
      await writeText(fileOf(fence), JSON.stringify(next));
    } catch (error) {
      torn.add(fenceKey(fence));
      // It is still sent from memory. Only a crash before that loses it; then the task runs again.
      log.error("Could not write a report to disk", { fence: fenceKey(fence), error });
    }
  };
  const begin = (next: Letter, writeText: WriteText): Promise<void> => {
    const done = write(next, writeText);
    writing.set(fenceKey(next.report.fence), done);
    return done;
  };
  const stopWaiting = (key: string): void => {
    unflushed.get(key)?.();
    unflushed.delete(key);
  };
  const flush = (next: Letter): void => {
    stopWaiting(fenceKey(next.report.fence));
    void begin(next, writeDurably);
  };

  return {
    put: async (report) => {
      const next = { sequence: ++sequence, report };
      const key = fenceKey(report.fence);
      letters.set(key, next);
      const cancel = clock.after(patienceMs, () => flush(next));
      unflushed.set(key, cancel);
      if (!isFoundAgain(report)) await begin(next, writeOwnFile);
    },
    waiting: () => [...letters.values()].sort((a, b) => a.sequence - b.sequence).map((each) => each.report),
    remove: async (fence) => {
      const key = fenceKey(fence);
      if (letters.delete(key) && (writing.has(key) || !unflushed.has(key))) unwanted.add(key);
      stopWaiting(key);
      if (!unwanted.has(key)) return;
      await writing.get(key);
      writing.delete(key);
      if (torn.has(key)) removeOwnFile(newNameOf(fileOf(fence)));
      removeOwnFile(fileOf(fence));
      for (const keys of [unwanted, torn]) keys.delete(key);
    },
    keep: async () => {
      for (const next of letters.values()) if (unflushed.has(fenceKey(next.report.fence))) flush(next);
      await Promise.all(writing.values());
    },
  };
};

type WriteText = (path: string, text: string) => void | Promise<void>;

/** A report without files is cheap to make again, so it is not worth a file that is deleted at once. */
const isFoundAgain = ({ outcome }: Report): boolean =>
  outcome.outcome === "published" && Object.keys(outcome.published.outputs).length === 0;

/** Removes half-written outbox files left by a crashed agent. */
const loadLetters = async (folder: string, log: Log): Promise<Letter[]> => {
  const letters: Letter[] = [];
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const found = name.endsWith(".json") ? parseJsonAs(letter, await readTextIfThere(file)) : undefined;
    if (found) {
      letters.push(found);
      continue;
    }
    log.error("Removing an incomplete report file", { file });
    removeOwnFile(file);
  }
  return letters;
};
