import { TaskError } from "../shared/causes.ts";
import { type Clock, sleep } from "../shared/clock.ts";
import type { Work, WorkAsset } from "../shared/work.ts";
import type { AttemptLog } from "./attempt-log.ts";
import type { ResolvedFile } from "./path-resolver.ts";

export type WaitingNeeds = {
  /** The current total size and latest change of an asset's files; undefined while any of them is missing. */
  readonly stat: (asset: WorkAsset) => Promise<ResolvedFile | undefined>;
  /** Whether a file that stopped growing is still incomplete. */
  readonly isUnfinished: (path: string) => Promise<boolean>;
  /** Why a manifest is not complete yet. */
  readonly whyIncomplete: (uri: string) => Promise<TaskError | undefined>;
  readonly clock: Clock;
  readonly log: AttemptLog;
  readonly signal: AbortSignal;
};

/** A file that has not changed for this long is complete. */
const settledMs = 5000;
const pollMs = 1000;

/** Waits for sources that are still arriving, as long as the job allows. Throws TaskError `source` after that. */
export const waitForSources = async ({ assets, steps }: Work, needs: WaitingNeeds): Promise<void> => {
  const manifests = new Set(steps.flatMap((step) => (step.do === "manifest" ? [step.asset] : [])));
  for (const [id, asset] of Object.entries(assets)) {
    if (!asset.waitSec) continue;
    await (manifests.has(id) ? waitForManifest(asset, needs) : waitForFiles(asset, needs));
  }
};

/** A playlist is rewritten with every segment. It is complete when it says so, or when its variants do. */
const waitForManifest = async (asset: WorkAsset, needs: WaitingNeeds): Promise<void> => {
  await until(asset, needs, async () => {
    if ((await needs.stat(asset)) === undefined) return "it is not there";
    return (await needs.whyIncomplete(asset.uri))?.message;
  });
};

const waitForFiles = async (asset: WorkAsset, needs: WaitingNeeds): Promise<void> => {
  const { clock } = needs;
  let seen: ResolvedFile | undefined;
  let since = clock.monotonic();
  let isFirst = true;
  await until(asset, needs, async () => {
    const now = await needs.stat(asset);
    // Checked once: a clock change during the wait must not make a growing file look old.
    if (isFirst && now && isOld(now, clock)) return undefined;
    isFirst = false;
    if (!isSame(now, seen)) since = clock.monotonic();
    seen = now;
    if (!seen) return "it is not there";
    if (clock.monotonic() - since < settledMs) return "it was just written to";
    return (await needs.isUnfinished(seen.path)) ? "its end is missing" : undefined;
  });
};

/** Checks once a second until there is no more reason to wait. */
const until = async (
  { uri, waitSec = 0 }: WorkAsset,
  { clock, log, signal }: WaitingNeeds,
  reason: () => Promise<string | undefined>,
): Promise<void> => {
  const end = clock.monotonic() + waitSec * 1000;
  for (let turn = 0; ; turn += 1) {
    signal.throwIfAborted();
    const why = await reason();
    if (why === undefined) return;
    if (clock.monotonic() >= end) throw tooLate(uri, waitSec, why);
    if (turn === 0) log.line(`wait for ${uri}, ${waitSec} s at most: ${why}`);
    await sleep(clock, pollMs, signal);
  }
};

/** The file has not been written to for a while, so there is no need to wait. */
const isOld = ({ modified, size }: ResolvedFile, clock: Clock): boolean =>
  size > 0 && clock.now() - modified >= settledMs * 2;

const isSame = (one: ResolvedFile | undefined, other: ResolvedFile | undefined): boolean =>
  one !== undefined && one.size > 0 && one.size === other?.size && one.modified === other.modified;

const tooLate = (uri: string, waitSec: number, why: string): TaskError =>
  new TaskError("source", late[why]?.(uri, waitSec) ?? `${why} (waited for ${waitSec} s)`);

const late: Readonly<Record<string, (uri: string, waitSec: number) => string>> = {
  "it is not there": (uri, waitSec) => `${uri} did not arrive within ${waitSec} s`,
  "it was just written to": (uri, waitSec) => `${uri} still grew after ${waitSec} s`,
  "its end is missing": (uri, waitSec) => `${uri} was not complete after ${waitSec} s: its end is missing`,
};
