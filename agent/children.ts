import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readTextIfThere } from "./disk.ts";
import { parseJsonAs } from "./json.ts";
import type { Log } from "./log.ts";
import { removeOwnFile, writeDurably } from "./own-files.ts";
import { type Run, signalGroup } from "./process.ts";
import { processStart } from "./process-start.ts";

const note = z.strictObject({ pid: z.number().int().positive(), started: z.string() });

/** Running children, noted on disk so that the next agent can end those that outlived this one. */
export type Children = {
  /** Notes a child; the function it gives forgets it again. */
  note(pid: number): Promise<() => Promise<void>>;
  /** Ends what an earlier agent left running. Must be done before its files are swept. */
  endLeftOver(): Promise<void>;
};

type ChildrenNeeds = { readonly folder: string; readonly log: Log; readonly run: Run };

export const createChildren = ({ folder, log, run }: ChildrenNeeds): Children => {
  const fileOf = (pid: number): string => join(folder, `${pid}.json`);
  return {
    note: async (pid) => {
      try {
        const started = await processStart(pid, run);
        if (started === undefined) return async () => undefined; // it is gone already
        await mkdir(folder, { recursive: true });
        await writeDurably(fileOf(pid), JSON.stringify({ pid, started }));
      } catch (error) {
        // The work goes on; only after a crash of the agent would this child be left running.
        log.warn("Could not record a running program on disk", { pid, error });
      }
      return async () => removeOwnFile(fileOf(pid));
    },
    endLeftOver: async () => {
      await mkdir(folder, { recursive: true });
      for (const name of await readdir(folder)) {
        await endOne(join(folder, name), { log, run });
        removeOwnFile(join(folder, name));
      }
    },
  };
};

const endOne = async (path: string, { log, run }: Pick<ChildrenNeeds, "log" | "run">): Promise<void> => {
  const found = parseJsonAs(note, await readTextIfThere(path));
  if (!found) return; // half a note of a crash: it names no process for sure
  const { pid, started } = found;
  // The number may belong to somebody else by now: only the same start time makes it our child.
  if ((await processStart(pid, run)) !== started) return;
  log.warn("Stopping a program left running by an earlier agent", { pid });
  signalGroup(pid, "SIGKILL");
};
