import { TaskError } from "../shared/causes.ts";
import { type Clock, sleep } from "../shared/clock.ts";
import type { Work } from "../shared/work.ts";
import type { AttemptLog } from "./attempt-log.ts";
import type { FilePlace } from "./places.ts";

export type WaitingNeeds = {
  /** The file at an address as it is now; undefined where nothing is. */
  readonly look: (uri: string) => Promise<FilePlace | undefined>;
  readonly clock: Clock;
  readonly log: AttemptLog;
  readonly signal: AbortSignal;
};

/** A file that has not changed for so long is complete. */
const settledMs = 5000;
const lookMs = 1000;

/** Waits for sources that are still on their way, as long as their job allows. Throws TaskError `source` after that. */
export const waitForSources = async ({ assets }: Work, needs: WaitingNeeds): Promise<void> => {
  for (const { uri, waitSec = 0 } of Object.values(assets)) if (waitSec > 0) await waitForOne(uri, waitSec, needs);
};

const waitForOne = async (uri: string, waitSec: number, needs: WaitingNeeds): Promise<void> => {
  const { clock, log, signal } = needs;
  const end = clock.monotonic() + waitSec * 1000;
  let seen: FilePlace | undefined;
  let since = clock.monotonic();
  for (let turn = 0; ; turn += 1) {
    signal.throwIfAborted();
    const now = await needs.look(uri);
    // Asked once: a clock that is set meanwhile must not make a file look old that still grows.
    if (turn === 0 && now && isOld(now, clock)) return;
    if (!isSame(now, seen)) since = clock.monotonic();
    seen = now;
    if (seen && clock.monotonic() - since >= settledMs) return;
    if (clock.monotonic() >= end) throw tooLate(uri, waitSec, seen);
    if (turn === 0)
      log.line(`wait for ${uri}, ${waitSec} s at most: ${seen ? "it was just written to" : "it is not there"}`);
    await sleep(clock, lookMs, signal);
  }
};

/** Nobody wrote to it for a while: there is nothing to wait for. */
const isOld = ({ modified, size }: FilePlace, clock: Clock): boolean =>
  size > 0 && clock.now() - modified >= settledMs * 2;

const isSame = (one: FilePlace | undefined, other: FilePlace | undefined): boolean =>
  one !== undefined && one.size > 0 && one.size === other?.size && one.modified === other.modified;

const tooLate = (uri: string, waitSec: number, seen: FilePlace | undefined): TaskError =>
  new TaskError("source", seen ? `${uri} still grew after ${waitSec} s` : `${uri} did not arrive within ${waitSec} s`);
