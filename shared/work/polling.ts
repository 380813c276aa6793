import { z } from "zod";
import { amount, instant } from "../basics/bounds.ts";
import type { Failure } from "../model/failure.ts";
import type { Work, WorkAsset } from "./work.ts";

/**
 * Waiting: a task that needs something from outside is looked after at times, and holds no slot meanwhile. A node looks
 * and tells what it saw; whether that is enough, and when the next look is, is decided here.
 */

/** What a task waits for. */
export const awaited = z.discriminatedUnion("what", [
  z.strictObject({
    what: z.literal("source"),
    /** The first of them. */
    uris: z.array(z.string()).max(20),
    /** Seconds at most. */
    sec: z.number().nonnegative(),
  }),
  /** Files of a folder, until the job is stopped. */
  z.strictObject({ what: z.literal("folder"), uri: z.string() }),
]);
export type Awaited = z.output<typeof awaited>;

/** What a node sees of an awaited source: null where it is not there. */
export const sighting = z
  .strictObject({
    size: amount,
    modified: instant,
    /** Nobody wrote to it lately, by the node's own clock. */
    isOld: z.boolean(),
    /** What else tells its states apart. */
    state: z.string().max(1200).optional(),
    /** What is missing from a file that may have stopped growing, or from a manifest. */
    lacks: z.string().max(4000).optional(),
  })
  .nullable();
export type Sighting = z.output<typeof sighting>;

/** What earlier looks saw of one source, and since when it has not changed. */
export type Watched = { readonly seen: Sighting; readonly since: number };

/** Why a source is still waited for; absent: it is all there. */
export type PollVerdict = { readonly watched: Watched; readonly why?: string };

/** A file that has not changed for this long is complete. */
export const settledMs = 5000;

/** The same of the age that tells a file that was complete before anybody waited for it. */
export const oldMs = 2 * settledMs;

/** What a look means for a source, given the look before it. `now` may be any clock that is never set. */
export const judgeSighting = (
  before: Watched | undefined,
  seen: Sighting,
  now: number,
  isManifest: boolean,
): PollVerdict => {
  const since = before && isSame(before.seen, seen) ? before.since : now;
  const why = reasonOf(before, seen, now - since, isManifest);
  return { watched: { seen, since }, ...(why !== undefined && { why }) };
};

const reasonOf = (before: Watched | undefined, seen: Sighting, stillMs: number, isManifest: boolean) => {
  if (!seen) return "it is not there";
  if (isManifest) return seen.lacks;
  // Only at the first look: a clock that is set during the wait must not make a growing file look old.
  if (!before && seen.isOld && seen.size > 0) return undefined;
  return stillMs < settledMs ? "it was just written to" : seen.lacks;
};

/** An empty file has not begun to arrive. */
const isSame = (one: Sighting, other: Sighting): boolean =>
  (one === null && other === null) ||
  (one !== null &&
    other !== null &&
    one.size > 0 &&
    one.size === other.size &&
    one.modified === other.modified &&
    one.state === other.state);

const [soonMs, lateMs] = [1000, 30_000];

/** When to look again: often at first, later every 30 seconds; a file that is there is soon known to be complete. */
export const nextPollMs = (waitedMs: number, watched: readonly Watched[]): number => {
  const delay = Math.min(lateMs, Math.max(soonMs, waitedMs / 4));
  return watched.every(({ seen }) => seen !== null) ? Math.min(delay, settledMs) : delay;
};

/** Sources that the work may have to wait for, by asset. */
export const awaitedAssets = (assets: Readonly<Record<string, WorkAsset>>): [string, WorkAsset][] =>
  Object.entries(assets).filter(([, { waitSec }]) => (waitSec ?? 0) > 0);

export const awaitedIn = ({ assets, watch }: Pick<Work, "assets" | "watch">): Awaited | undefined => {
  if (watch) return { what: "folder", uri: watch.folder };
  const waits = awaitedAssets(assets).map(([, asset]) => asset);
  if (waits.length === 0) return undefined;
  const sec = Math.max(...waits.map(({ waitSec = 0 }) => waitSec));
  return { what: "source", uris: waits.slice(0, 20).map(({ uri }) => uri), sec };
};

/** The failure of a wait whose time is over. */
export const waitTimedOut = (uri: string, sec: number, why: string): Failure => ({
  cause: "source",
  message: (late[why]?.(uri, sec) ?? `${why} (waited for ${sec} s)`).slice(0, 4000),
});

const late: Readonly<Record<string, (uri: string, sec: number) => string>> = {
  "it is not there": (uri, sec) => `${uri} did not arrive within ${sec} s`,
  "it was just written to": (uri, sec) => `${uri} still grew after ${sec} s`,
  "its end is missing": (uri, sec) => `${uri} was not complete after ${sec} s: its end is missing`,
};
