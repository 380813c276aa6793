import type { WebhookDelivery, WebhookView } from "../../shared/api/webhooks.ts";
import { AppError } from "../../shared/basics/errors.ts";
import type {
  NewWebhook,
  WebhookChange,
  WebhookDeliveryState,
  WebhookRotation,
} from "../../shared/outbound/webhooks.ts";
import { changedAtOnce, type DeliveryKey, type WebhookDeliveryRow } from "../store/webhooks.ts";
import { changed, changeOne, changeWebhooks, noSuchWebhook, rotated, type Webhook, withAdded } from "./config.ts";
import { createDelivering, type DeliveringNeeds } from "./delivering.ts";
import { createLanes, deliveryId } from "./lanes.ts";
import { keptMessages, keptMs } from "./tries.ts";
import { viewOfDelivery, viewOfWebhook } from "./views.ts";

export type Webhooks = ReturnType<typeof createWebhooks>;

/** Tells programs what happens on the farm: what decisions wrote is sent, tried again, and kept for a while. */
export const createWebhooks = (needs: DeliveringNeeds) => {
  const { farm, outbox } = needs;
  const { store, clock } = farm;
  const { attempt, end, isEnding } = createDelivering(needs);
  const lanes = createLanes({
    ...{ now: clock.steady, attempt, isEnding },
    due: (webhook, most) => store.webhooks.due(webhook, clock.steady(), most),
  });
  const named = (name: string): Webhook => {
    const found = outbox.webhooks().find((each) => each.name === name);
    if (!found) throw noSuchWebhook(name);
    return found;
  };
  const view = async (name: string): Promise<WebhookView> =>
    viewOfWebhook(farm, named(name), await store.webhooks.counts(name));
  const row = async (name: string, id: string): Promise<WebhookDeliveryRow> => {
    const found = await store.webhooks.get(named(name).name, keyOf(id));
    if (!found) throw noSuchMessage(name, id);
    return found;
  };
  /** All in a state, some at a time. */
  const sendAll = async (name: string, state: WebhookDeliveryState): Promise<number> => {
    const now = clock.steady();
    for (let count = 0; ; ) {
      const some = await store.webhooks.sendSomeAgain(name, state, now);
      count += some;
      if (some < changedAtOnce) return count;
    }
  };
  const change = async (name: string, decide: (before: Webhook) => Webhook): Promise<WebhookView> => {
    outbox.take(await changeOne(farm, name, decide));
    lanes.wake(name);
    return view(name);
  };

  return {
    list: async (): Promise<WebhookView[]> => Promise.all(outbox.webhooks().map(({ name }) => view(name))),
    create: async (wanted: NewWebhook): Promise<WebhookView> => {
      // What one of this name left must not go to another receiver.
      if (outbox.webhooks().every(({ name }) => name !== wanted.name)) await store.webhooks.remove(wanted.name);
      outbox.take(await changeWebhooks(farm, (all) => withAdded(farm, all, wanted, clock.steady())));
      return view(wanted.name);
    },
    change: async (name: string, wanted: WebhookChange): Promise<WebhookView> => {
      const after = await change(name, (before) => changed(farm, before, wanted, clock.steady()));
      // What waited for a later try is tried where it goes now.
      if (wanted.url || wanted.is_on) await sendAll(name, "waiting");
      return after;
    },
    rotate: (name: string, wanted: WebhookRotation): Promise<WebhookView> =>
      change(name, (before) => rotated(farm, before, wanted, clock.steady())),
    remove: async (name: string): Promise<void> => {
      named(name);
      outbox.take(await changeWebhooks(farm, (all) => all.filter((each) => each.name !== name)));
      await store.webhooks.remove(name);
    },
    /** Sends a message that says that it is a test, now and also where the webhook is off. */
    test: async (name: string): Promise<WebhookDelivery> => {
      named(name);
      const made = await farm.change([], (draft) => outbox.addTest(draft, name));
      if (!lanes.isRunning(name, deliveryId(made))) await lanes.run(made);
      return viewOfDelivery(farm, await row(name, deliveryId(made)));
    },
    deliveries: async (
      name: string,
      { state, skip, take }: { readonly state?: WebhookDeliveryState | undefined; skip: number; take: number },
    ) => {
      const rows = await store.webhooks.list(named(name).name, state, { skip, take });
      const counts = await store.webhooks.counts(name);
      const all = Object.values(counts).reduce((sum, n) => sum + n, 0);
      return {
        items: rows.map((each) => viewOfDelivery(farm, each)),
        count: state === undefined ? all : counts[state],
      };
    },
    delivery: async (name: string, id: string) => {
      const found = await row(name, id);
      return { ...viewOfDelivery(farm, found), message: JSON.parse(found.body) };
    },
    /** Makes messages due again, with the ids that receivers know them by. */
    sendAgain: async (name: string, which: readonly string[] | "given_up"): Promise<{ count: number }> => {
      named(name);
      if (which !== "given_up") for (const id of which) await row(name, id);
      const ended = which === "given_up" ? [] : which.filter((id) => !lanes.isRunning(name, id)).map(keyOf);
      const count =
        which === "given_up" ? await sendAll(name, which) : await store.webhooks.sendAgain(name, ended, clock.steady());
      lanes.wake(name);
      return { count };
    },
    /** Begins to send what is due. */
    deliver: (): Promise<void> =>
      lanes.look(
        outbox
          .webhooks()
          .filter(({ off }) => off === null)
          .map(({ name }) => name),
      ),
    /** Deletes what is too old or too much, some at a time. */
    trim: async (): Promise<void> => {
      const names = outbox.webhooks().map(({ name }) => name);
      await store.webhooks.trimOthers(names);
      for (const webhook of names) {
        const limits = { before: clock.steady() - keptMs, most: keptMessages };
        const { lost } = await store.webhooks.trim(webhook, limits);
        if (lost > 0) farm.log.warn({ webhook, messages: lost }, "messages were deleted before they were delivered");
      }
    },
    /** Webhooks that switched themselves off. */
    silent: (): readonly Webhook[] => outbox.webhooks().filter(({ off }) => off === "failing" || off === "gone"),
    /** Resolves once nothing is under way. */
    settle: lanes.settle,
    /** Ends what is under way: it is tried again at the next start. */
    end: async (): Promise<void> => {
      end();
      await lanes.settle();
    },
  };
};

const keyOf = (id: string): DeliveryKey => {
  const [, epoch, nr] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  return { epoch: Number(epoch ?? -1), nr: Number(nr ?? -1) };
};

const noSuchMessage = (name: string, id: string): AppError =>
  new AppError("NOT_FOUND", `The webhook "${name}" has no message ${id}: messages are kept for a while only`);
