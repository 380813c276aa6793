import type { WebhookDeliveryState } from "../../shared/outbound/webhooks.ts";

/** A message is known by the epoch in which it was made and its number there: both never return. */
export type DeliveryKey = { readonly epoch: number; readonly nr: number };

/** A message to one webhook. All times are in the farm's time. */
export type WebhookDeliveryRow = DeliveryKey & {
  /** The name of the webhook. */
  readonly webhook: string;
  readonly type: string;
  /** Such as `job 12`. */
  readonly about: string;
  readonly made: number;
  /** As it is signed and sent. */
  readonly body: string;
} & DeliveryOutcome;

export type DeliveryOutcome = {
  readonly state: WebhookDeliveryState;
  /** When tries began: when it was made, or when somebody had it sent again. */
  readonly since: number;
  /** How often it was tried since then. */
  readonly tries: number;
  /** When to try next; null once it was delivered or given up. */
  readonly nextTry: number | null;
  readonly ended: number | null;
  /** Of the last response. */
  readonly status: number | null;
  readonly answer: string | null;
};

export type DeliveryCounts = Readonly<Record<WebhookDeliveryState, number>>;

/** What webhooks are told. Rows are made by batches alone. */
export type WebhookStore = {
  /** Messages of a webhook whose next try is due, the longest waiting first. */
  readonly due: (webhook: string, now: number, most: number) => Promise<WebhookDeliveryRow[]>;
  /** What came of a try. A message that was deleted meanwhile stays deleted. */
  readonly tried: (key: DeliveryKey, outcome: DeliveryOutcome) => Promise<void>;
  /** Makes these of a webhook's messages due now. Gives how many. */
  readonly sendAgain: (webhook: string, keys: readonly DeliveryKey[], now: number) => Promise<number>;
  /** The same for some of those in a state, at most `changedAtOnce`. */
  readonly sendSomeAgain: (webhook: string, state: WebhookDeliveryState, now: number) => Promise<number>;
  readonly get: (webhook: string, key: DeliveryKey) => Promise<WebhookDeliveryRow | undefined>;
  /** A webhook's messages, the newest first; only those in a state, if one is given. */
  readonly list: (
    webhook: string,
    state: WebhookDeliveryState | undefined,
    page: { readonly skip: number; readonly take: number },
  ) => Promise<WebhookDeliveryRow[]>;
  readonly counts: (webhook: string) => Promise<DeliveryCounts>;
  /** Deletes all messages of a webhook. */
  readonly remove: (webhook: string) => Promise<void>;
  /** Deletes some of a webhook's messages that are older than this, or beyond so many. */
  readonly trim: (webhook: string, limits: { readonly before: number; readonly most: number }) => Promise<Trimmed>;
  /** Deletes some messages of webhooks that are not among these. */
  readonly trimOthers: (webhooks: readonly string[]) => Promise<void>;
};

export type Trimmed = {
  readonly deleted: number;
  /** Those that were neither delivered nor given up. */
  readonly lost: number;
};

/** Messages that one operation changes or deletes. */
export const changedAtOnce = 500;

export const deliveryCounts = (
  found: readonly { readonly state: WebhookDeliveryState; readonly n: number }[],
): DeliveryCounts =>
  Object.assign({ waiting: 0, delivered: 0, given_up: 0 }, ...found.map(({ state, n }) => ({ [state]: n })));

export const countTrimmed = (states: readonly { readonly state: WebhookDeliveryState }[]): Trimmed => ({
  deleted: states.length,
  lost: states.filter(({ state }) => state === "waiting").length,
});
