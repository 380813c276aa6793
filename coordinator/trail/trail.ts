import { redactText } from "../../shared/credentials/redact.ts";
import type { Ground } from "../ground.ts";
import type { Store } from "../store/store.ts";
import { keptLines, type NewTrailLine } from "../store/trail.ts";
import { aboutText, type Facts, plainText } from "./about.ts";

/** Something that was changed, or refused. */
export type Noted = {
  /** Empty: a stranger. */
  readonly who: string;
  /** From where; empty: from inside the coordinator. */
  readonly origin: string;
  readonly action: string;
  /** The code of the refusal; undefined: it was done. */
  readonly refusal?: string | undefined;
  readonly about: Facts;
  /** It happens often: once told, it is only counted for a minute. */
  readonly isRepeated?: true;
};

export type Trail = ReturnType<typeof createTrail>;

type Needs = Pick<Ground, "clock" | "log"> & {
  readonly store: Pick<Store, "trail">;
  /** Does it in a turn of the loop that has time for it. */
  readonly timeSlice: <T>(work: () => T) => Promise<T>;
};

/** Lines that wait for the disk; beyond that they are counted. */
const mostWaiting = 20_000;
/** In one turn of the loop, and in one transaction. */
const writtenAtOnce = 100;
/** What strangers are refused again and again is told once in this time, with how often it happened. */
const quietMs = 60_000;
const mostQuiet = 1000;

type Waiting = Omit<NewTrailLine, "about"> & { readonly facts: Facts; times: number };
type Quiet = { readonly until: number; line: Waiting | undefined };

/**
 * Keeps what was changed or refused until the next tick, and writes it then. Lines that differ in nothing are one that says
 * how often. What cannot be written waits for the next tick.
 */
export const createTrail = ({ clock, log, store, timeSlice }: Needs) => {
  let waiting = new Map<string, Waiting>();
  const quiet = new Map<string, Quiet>();
  let dropped = 0;
  let writing: Promise<void> | undefined;

  const add = (key: string, line: Waiting): void => {
    const same = waiting.get(key);
    if (same) same.times += line.times;
    else if (waiting.size < mostWaiting) waiting.set(key, line);
    else dropped += 1;
  };

  /** True if it was told just now, and is only counted. */
  const isQuiet = (key: string, line: Waiting): boolean => {
    const told = quiet.get(key);
    if (told) {
      if (told.line) told.line.times += 1;
      else told.line = line;
      return true;
    }
    if (quiet.size < mostQuiet) quiet.set(key, { until: clock.monotonic() + quietMs, line: undefined });
    return false;
  };

  const endQuiet = (isEnd: boolean): void => {
    for (const [key, { until, line }] of quiet) {
      if (!isEnd && clock.monotonic() < until) continue;
      quiet.delete(key);
      if (line) add(key, line);
    }
  };

  const note = ({ who, origin, action, refusal, about, isRepeated }: Noted): void => {
    const isRefusedStranger = who === "" && refusal !== undefined;
    const line: Waiting = {
      at: clock.now(),
      who: plainText(who || "a stranger", 200),
      origin: plainText(origin || "the coordinator", 100),
      action,
      outcome: refusal ?? "done",
      facts: about,
      times: 1,
    };
    const { at: _, times: __, ...same } = line;
    // A stranger chooses what is asked for: that must not make many lines.
    const key = JSON.stringify(isRefusedStranger ? { ...same, facts: {} } : same);
    if ((isRefusedStranger || isRepeated) && isQuiet(key, line)) return;
    add(key, line);
  };

  const write = async (isEnd: boolean): Promise<void> => {
    endQuiet(isEnd);
    if (dropped > 0) {
      const line = { at: clock.now(), who: "the coordinator", origin: "the coordinator", action: "droppedLines" };
      waiting.set("dropped", { ...line, outcome: "done", facts: { lines: dropped }, times: 1 });
      dropped = 0;
    }
    while (waiting.size > 0) {
      const part = [...waiting].slice(0, writtenAtOnce);
      await timeSlice(() =>
        store.trail.add(
          part.map(([, line]) => toLine(line)),
          keptLines,
        ),
      );
      for (const [key] of part) waiting.delete(key);
    }
  };

  /** Writes what waits; one at a time. Rejects if the store cannot take it, which then stays. */
  const flush = (isEnd = false): Promise<void> => {
    writing ??= write(isEnd).finally(() => {
      writing = undefined;
    });
    return writing;
  };

  return {
    note,
    flush: () => flush(),
    /** Writes the rest. What a broken disk cannot take is lost, and the log says how much. */
    end: async (): Promise<void> => {
      await writing?.catch(() => undefined);
      await flush(true).catch((problem) =>
        log.error({ err: problem, lines: waiting.size }, "lines of the audit are lost"),
      );
      waiting = new Map();
    },
  };
};

const toLine = ({ facts, times, ...line }: Waiting): NewTrailLine => ({
  ...line,
  about: redactText(aboutText(times > 1 ? { ...facts, times } : facts)),
});
