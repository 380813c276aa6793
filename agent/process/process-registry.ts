import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readTextIfThere } from "../disk/file-system.ts";
import { parseJsonAs } from "../disk/json.ts";
import { removeOwnFile, writeDurably } from "../disk/own-files.ts";
import type { Log } from "../log.ts";
import { signalGroup } from "./kill-ladder.ts";
import type { Run } from "./run.ts";
import { processStart } from "./start-time.ts";

const note = z.strictObject({ pid: z.number().int().positive(), started: z.string() });

/** Running children, recorded on disk so that the next agent can end those that outlived this one. */
export type ProcessRegistry = {
  /** Records a child; returns a function that removes the record. */
  note(pid: number): Promise<() => Promise<void>>;
  /** Ends programs that an earlier agent left running. Must run before their files are swept. */
  endLeftOver(): Promise<void>;
};

type ChildrenNeeds = { readonly folder: string; readonly log: Log; readonly run: Run };

export const createProcessRegistry = ({ folder, log, run }: ChildrenNeeds): ProcessRegistry => {
  const fileOf = (pid: number): string => join(folder, `${pid}.json`);
  return {
    note: async (pid) => {
      try {
        const started = await processStart(pid, run);
        if (started === undefined) return async () => undefined; // it is already gone
        await mkdir(folder, { recursive: true });
        await writeDurably(fileOf(pid), JSON.stringify({ pid, started }));
      } catch (error) {
        // The work continues; this child would stay running only after a crash of the agent.
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
  if (!found) return; // a record half-written in a crash: its process is uncertain
  const { pid, started } = found;
  // The process number may have been reused: it is our child only if the start time matches.
  if ((await processStart(pid, run)) !== started) return;
  log.warn("Stopping a program left running by an earlier agent", { pid });
  signalGroup(pid, "SIGKILL");
};
