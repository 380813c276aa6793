import type { WebhookDeliveryRow } from "../store/webhooks.ts";

/** Messages that go to one receiver at the same time, so that a slow one keeps neither memory nor others waiting. */
const mostAtOnce = 4;
/** After so many failures in a row one message at a time finds out whether the receiver is back. */
const mostFailures = 3;
const [firstRestMs, longestRestMs] = [1000, 300_000];

type Lane = {
  /** Messages that are under way. */
  readonly running: Set<string>;
  failures: number;
  /** Nothing begins before. */
  rest: number;
  /** Nor before this: the receiver asked for it, and messages that end meanwhile change nothing. */
  askedRest: number;
  isLooking: boolean;
};

/** `askedMs`: for how long the receiver asks to be left alone. */
export type Attempted = { readonly isTaken: boolean; readonly askedMs?: number | undefined };

type Needs = {
  readonly now: () => number;
  readonly due: (webhook: string, most: number) => Promise<readonly WebhookDeliveryRow[]>;
  /** Tries one, and keeps what came of it; it never fails. */
  readonly attempt: (row: WebhookDeliveryRow) => Promise<Attempted>;
  readonly isEnding: () => boolean;
};

export const deliveryId = ({ epoch, nr }: Pick<WebhookDeliveryRow, "epoch" | "nr">): string => `${epoch}-${nr}`;

/** A lane for each webhook: what happens in one concerns no other. */
export const createLanes = ({ now, due, attempt, isEnding }: Needs) => {
  const lanes = new Map<string, Lane>();
  const under = new Set<Promise<unknown>>();

  const laneOf = (webhook: string): Lane => {
    const lane = lanes.get(webhook) ?? { running: new Set(), failures: 0, rest: 0, askedRest: 0, isLooking: false };
    lanes.set(webhook, lane);
    return lane;
  };
  const roomIn = ({ running, failures }: Lane): number => (failures >= mostFailures ? 1 : mostAtOnce) - running.size;

  const run = async (row: WebhookDeliveryRow): Promise<void> => {
    const lane = laneOf(row.webhook);
    const id = deliveryId(row);
    lane.running.add(id);
    try {
      const { isTaken, askedMs = 0 } = await attempt(row);
      lane.failures = isTaken ? 0 : lane.failures + 1;
      const rest = firstRestMs * 2 ** (lane.failures - mostFailures);
      lane.rest = lane.failures < mostFailures ? 0 : now() + Math.min(rest, longestRestMs);
      lane.askedRest = Math.max(lane.askedRest, now() + Math.min(askedMs, longestRestMs));
    } finally {
      lane.running.delete(id);
    }
  };

  /** Begins what is due, as far as there is room. */
  const fill = async (webhook: string): Promise<void> => {
    const lane = laneOf(webhook);
    if (isEnding() || lane.isLooking || now() < Math.max(lane.rest, lane.askedRest) || roomIn(lane) <= 0) return;
    lane.isLooking = true;
    try {
      const rows = await due(webhook, roomIn(lane) + lane.running.size);
      const fresh = rows.filter((row) => !lane.running.has(deliveryId(row))).slice(0, roomIn(lane));
      for (const row of fresh) begin(row);
    } finally {
      lane.isLooking = false;
    }
  };

  const begin = (row: WebhookDeliveryRow): void => {
    const attempted = run(row).then(() => fill(row.webhook));
    const ended: Promise<unknown> = attempted.catch(() => undefined).then(() => under.delete(ended)); // the next look tries again
    under.add(ended);
  };

  return {
    /** Begins what is due of each of these. */
    look: async (webhooks: readonly string[]): Promise<void> => {
      for (const [known, { running }] of lanes)
        if (running.size === 0 && !webhooks.includes(known)) lanes.delete(known);
      for (const webhook of webhooks) await fill(webhook);
    },
    /** Whether this message is under way. */
    isRunning: (webhook: string, id: string): boolean => lanes.get(webhook)?.running.has(id) === true,
    run,
    /** Somebody changed the webhook: it is tried at once. */
    wake: (webhook: string): void => {
      Object.assign(laneOf(webhook), { failures: 0, rest: 0, askedRest: 0 });
    },
    /** Resolves once nothing is under way. */
    settle: async (): Promise<void> => {
      while (under.size > 0) await Promise.all(under);
    },
  };
};
