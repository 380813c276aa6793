import { testEvent } from "../../shared/outbound/webhooks.ts";
import type { FarmClock } from "../farm-clock.ts";
import { isoTime } from "../iso-time.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Transaction } from "../kernel/transaction.ts";
import type { LiveProgress } from "../live/progress.ts";
import { joinChanges } from "../store/batch.ts";
import type { WebhookDeliveryRow } from "../store/webhooks.ts";
import { readWebhooks, type Webhook } from "./config.ts";
import { type Happened, happenedIn } from "./events.ts";

type Needs = {
  readonly clock: FarmClock;
  readonly epoch: number;
};

type Told = Pick<Happened, "about"> & { readonly type: string; readonly delay?: number };

/** Whoever asks for a test sends it: the duty that sends what is due leaves it alone for that long. */
const testMs = 300_000;

export type Outbox = ReturnType<typeof createOutbox>;

/** With the webhooks that are stored. */
export const openOutbox = async (needs: Needs & Pick<Kernel, "store">): Promise<Outbox> =>
  createOutbox(needs, await readWebhooks(needs));

/**
 * Writes what webhooks are told into the decision that it tells of: both become durable, or neither. Which webhooks there are
 * is in memory, as decisions wait for nothing.
 */
const createOutbox = ({ clock, epoch }: Needs, first: readonly Webhook[]) => {
  let webhooks = first;
  let nr = 0;

  const add = (draft: Transaction, webhook: string, { type, about, delay = 0 }: Told, data: object) => {
    nr += 1;
    const now = clock.steady();
    const row: WebhookDeliveryRow = {
      ...{ epoch, nr, webhook, type, about, made: now },
      body: JSON.stringify({ type, timestamp: isoTime(clock.now()), data }),
      ...{ state: "waiting", since: now, tries: 0, nextTry: now + delay, ended: null, status: null, answer: null },
    };
    draft.insertDelivery(row);
    return row;
  };

  return {
    webhooks: (): readonly Webhook[] => webhooks,
    take: (now: readonly Webhook[]): void => {
      webhooks = now;
    },
    /** Called at the end of every decision, within it. */
    tellOf: (draft: Transaction, progress: LiveProgress): void => {
      if (webhooks.length === 0) return;
      const around = { job: (id: number) => draft.job(id).row, progress };
      for (const happened of happenedIn(joinChanges(draft.changes), around)) {
        const hearing = webhooks.filter((each) => hears(each, happened));
        const data = hearing.length > 0 ? happened.data() : {};
        for (const { name } of hearing) add(draft, name, happened, data);
      }
    },
    /** A message that says that it is a test. */
    addTest: (draft: Transaction, webhook: string): WebhookDeliveryRow =>
      add(draft, webhook, { type: testEvent, about: "", delay: testMs }, { webhook }),
  };
};

/** Pure: whether a webhook wants to be told. */
export const hears = (
  { events, tags, users }: Pick<Webhook, "events" | "tags" | "users">,
  happened: Happened,
): boolean =>
  events.includes(happened.type) &&
  (tags.length === 0 || tags.some((tag) => happened.tags.includes(tag))) &&
  (users.length === 0 || (typeof happened.user === "string" && users.includes(happened.user)));
