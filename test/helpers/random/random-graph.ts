import type { GraphConnection } from "../../../shared/model/job-graph.ts";
import type { randomFrom } from "./random.ts";

type Random = ReturnType<typeof randomFrom>;

export type RandomGraph = { readonly uids: readonly string[]; readonly connections: readonly GraphConnection[] };

/** A graph without circles: every connection leads from earlier elements to later ones, in any number and shape. */
export const aRandomGraph = (random: Random, most: number): RandomGraph => {
  const uids = [...Array(random.integer(1, most)).keys()].map((nr) => `e${nr}`);
  const some = (list: readonly string[], share: number) => list.filter(() => random.chance(share));
  const connections = [...Array(random.integer(0, 2 * uids.length))].flatMap(() => {
    const border = random.integer(1, uids.length);
    const [before, after] = [uids.slice(0, border), uids.slice(border)];
    const from = some(before, 2 / before.length);
    const [success, error] = [some(after, 1.5 / after.length), some(after, 0.7 / after.length)];
    return from.length > 0 && success.length + error.length > 0 ? [{ from, success, error }] : [];
  });
  return { uids, connections };
};

export type Fate = "succeeded" | "failed" | "skipped";

/**
 * What becomes of every element, from the design's words alone: each is asked about once all before it are known, since
 * connections lead forward. `fails`: those that fail when they run.
 */
export const fatesOf = ({ uids, connections }: RandomGraph, fails: ReadonlySet<string>): Map<string, Fate> => {
  const fates = new Map<string, Fate>();
  for (const uid of uids) {
    const incoming = connections.filter(({ success, error }) => success.includes(uid) || error.includes(uid));
    const isStarted = incoming.length === 0 || incoming.some((connection) => fires(connection, uid, fates));
    fates.set(uid, isStarted ? (fails.has(uid) ? "failed" : "succeeded") : "skipped");
  }
  return fates;
};

const fires = ({ from, success, error }: GraphConnection, uid: string, fates: ReadonlyMap<string, Fate>): boolean => {
  const ran = from.map((each) => fates.get(each)).filter((fate) => fate !== "skipped");
  if (ran.length === 0) return false;
  return ran.includes("failed") ? error.includes(uid) : success.includes(uid);
};

/** How the job ends: a failure is handled when one of its error sets ran to completion. */
export const endOf = ({ connections }: RandomGraph, fates: ReadonlyMap<string, Fate>): string => {
  const failed = [...fates].filter(([, fate]) => fate === "failed").map(([uid]) => uid);
  const isHandled = (uid: string) =>
    connections.some(
      ({ from, error }) =>
        from.includes(uid) && error.length > 0 && error.every((each) => fates.get(each) === "succeeded"),
    );
  if (failed.length === 0) return "completed null";
  return failed.every(isHandled) ? "completed handled_errors" : "failed null";
};
