import { z } from "zod";
import { downtimeStates } from "../../shared/api/node-view.ts";
import { lendStates } from "../../shared/lending/lending.ts";

/** A stretch of time in which a node took no work. Times are Unix milliseconds; `to` is null while it lasts. */
export const downtime = z.strictObject({
  nodeId: z.number(),
  state: z.enum(downtimeStates),
  from: z.number(),
  to: z.number().nullable(),
  why: z.string(),
  /** Those of before this was kept have none. */
  lending: z.enum(lendStates).nullable().default(null),
});
type Downtime = Readonly<z.output<typeof downtime>>;

export type DowntimeLog = ReturnType<typeof createDowntimeLog>;

/** Downtimes are kept for as long as a timeline reaches back, and at most this many. */
const keptMs = 24 * 3_600_000;
const mostDowntimes = 20_000;
/** They are stored this often, in milliseconds: a crash loses the last minute, which is not worth a commit. */
const writeEveryMs = 60_000;

/** Why each node did not work, and when: its owner, an operator, a quarantine, silence. */
export const createDowntimeLog = (recalled: readonly Downtime[] = []) => {
  let past: Downtime[] = recalled.filter(({ to }) => to !== null);
  const open = new Map(recalled.filter(({ to }) => to === null).map((downtime) => [downtime.nodeId, downtime]));
  let isWritten = true;
  let writtenAt = 0;

  const close = (downtime: Downtime, at: number): void => {
    open.delete(downtime.nodeId);
    past = [...past.filter(({ to }) => at - (to ?? at) < keptMs), { ...downtime, to: at }].slice(-mostDowntimes);
  };

  return {
    /** A node's current downtime; undefined: it takes work. */
    note: (
      nodeId: number,
      now: number,
      found: Pick<Downtime, "state" | "from" | "why" | "lending"> | undefined,
    ): void => {
      const last = open.get(nodeId);
      if (last?.state === found?.state) return;
      isWritten = false;
      if (last) close(last, Math.max(last.from, found?.from ?? now));
      if (found) open.set(nodeId, { ...found, nodeId, to: null });
    },
    /** The downtimes that reach into the time since `from`, in order. */
    since: (from: number): Downtime[] => [...past, ...open.values()].filter(({ to }) => to === null || to >= from),
    /** All downtimes, if some are not stored and the last store was long enough ago. */
    takeUnwritten: (now: number): Downtime[] | undefined => {
      if (isWritten || now - writtenAt < writeEveryMs) return undefined;
      [isWritten, writtenAt] = [true, now];
      return [...past, ...open.values()];
    },
  };
};
