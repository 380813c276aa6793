import { z } from "zod";
import type { Clock } from "../../shared/basics/clock.ts";
import { type EndedTask, endedTask, type LentDay, lentDay } from "../../shared/lending/lending.ts";
import { readTextIfThere } from "../disk/file-system.ts";
import { parseJsonAs } from "../disk/json.ts";
import { writeDurably } from "../disk/own-files.ts";
import type { Log } from "../log.ts";
import { dayOf } from "./schedule.ts";

const book = z.strictObject({ days: z.array(lentDay), ended: z.array(endedTask) });

/** What this computer contributed: hours with running tasks, and tasks, day by day. */
export type Ledger = {
  readonly days: () => readonly LentDay[];
  /** The latest day first. */
  readonly ended: () => readonly EndedTask[];
  /** Adds time in which tasks ran. */
  readonly lent: (ms: number) => void;
  readonly taskEnded: (task: Omit<EndedTask, "at">) => void;
  readonly keep: () => Promise<void>;
};

const keptDays = 35;
const keptTasks = 20;
/** A crash loses at most this much of the count. */
const keepEveryMs = 60_000;

export const openLedger = async (path: string, clock: Clock, log: Log): Promise<Ledger> => {
  const known = parseJsonAs(book, await readTextIfThere(path));
  let [days, ended] = [known?.days ?? [], known?.ended ?? []];
  let keptAt = clock.monotonic();
  let isKept = true;

  const add = (lentMs: number, tasks: number): void => {
    const day = dayOf(clock.now());
    const today = days.find((each) => each.day === day) ?? { day, lentMs: 0, tasks: 0 };
    const more = { day, lentMs: today.lentMs + lentMs, tasks: today.tasks + tasks };
    days = [...days.filter((each) => each.day !== day), more].slice(-keptDays);
    isKept = false;
    if (clock.monotonic() - keptAt >= keepEveryMs) void keep();
  };

  const keep = async (): Promise<void> => {
    if (isKept) return;
    [isKept, keptAt] = [true, clock.monotonic()];
    try {
      await writeDurably(path, JSON.stringify({ days, ended }));
    } catch (error) {
      log.warn("What this computer gave cannot be kept", { error });
    }
  };

  return {
    days: () => days,
    ended: () => ended,
    lent: (ms) => add(ms, 0),
    taskEnded: (task) => {
      ended = [{ ...task, at: clock.now() }, ...ended].slice(0, keptTasks);
      add(0, task.how === "givenBack" ? 0 : 1);
    },
    keep,
  };
};
