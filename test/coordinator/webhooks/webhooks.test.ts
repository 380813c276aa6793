import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { grantCommit } from "../../../coordinator/attempts/report.ts";
import { takeMessage } from "../../../coordinator/connections/messages.ts";
import { stopJob } from "../../../coordinator/jobs/stop.ts";
import { createWebhooks, type Webhooks } from "../../../coordinator/webhooks/webhooks.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import type { Delivery, Receipt } from "../../../shared/outbound/delivery.ts";
import {
  type NewWebhook,
  newWebhook,
  type WebhookEvent,
  webhookEventNames,
} from "../../../shared/outbound/webhooks.ts";
import { anIntent, aReport } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";

const { world, farm, submit, report, advance, pass, toCopy, restart } = useFarm();

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const keyOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`;
const [first, second] = [keyOf(1), keyOf(2)];
const wanted = (changes: object = {}): NewWebhook =>
  newWebhook.parse({
    ...{ name: "one", url: "https://hook.example/a-secret-path?key=s3cret", secret: first },
    events: ["job.submitted"] satisfies WebhookEvent[],
    ...changes,
  });
const taken: Receipt = { isTaken: true, status: 204, answer: "https://hook.example/a-secret-path answered 204" };
const down: Receipt = { isTaken: false, status: null, answer: "connect ECONNREFUSED" };

type Request = Extract<Delivery["way"], { by: "request" }>;
let webhooks: Webhooks;
let sent: Request[];
let answer: (request: Request) => Receipt | Promise<Receipt>;

const open = (): void => {
  webhooks = createWebhooks({
    ...{ farm: farm(), outbox: world().outbox },
    deliver: async ({ way }) => {
      if (way.by !== "request") throw new Error("not a request");
      sent.push(way);
      return answer(way);
    },
  });
};
beforeEach(() => {
  // The reference library compares with the machine's clock.
  vi.useFakeTimers({ toFake: ["Date"] });
  sent = [];
  answer = () => taken;
  open();
});
afterEach(() => void vi.useRealTimers());

/** Sends what is due, and all that comes of it. */
const deliver = async (ms = 0): Promise<void> => {
  await advance(ms);
  await webhooks.deliver();
  await webhooks.settle();
};
const verified = (request: Request | undefined, secret = first): { type: string; data: Record<string, unknown> } => {
  vi.setSystemTime(world().clock.now());
  return new Webhook(secret).verify(request?.body ?? "", { ...request?.headers }) as never; // what the farm sent
};
const typesSent = () => sent.map((request) => verified(request).type);
const idsSent = () => sent.map(({ headers }) => headers["webhook-id"]);
const states = async (name = "one") =>
  (await webhooks.deliveries(name, { skip: 0, take: 500 })).items.map(({ state }) => state);

test("a job's life is told, signed as the reference library wants it", async () => {
  await webhooks.create(wanted({ events: webhookEventNames }));
  const node = await world().node();
  const { jobId, copy } = await toCopy(node);
  await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
  await report(node, aReport(copy));
  await deliver();
  expect(typesSent().sort()).toEqual(["job.completed", "job.started", "job.submitted", "outputs.published"]);
  const byType = Object.fromEntries(sent.map((request) => [verified(request).type, verified(request).data]));
  expect(byType["job.completed"]).toMatchObject({ job: { id: String(jobId), status: "completed", progress: 100 } });
  expect(byType["outputs.published"]).toMatchObject({ job: { id: String(jobId) }, count: 1 });
  expect(new Set(idsSent()).size).toBe(4);
  expect(() => verified(sent[0], second)).toThrow();
  expect(() => verified({ ...(sent[0] as Request), body: "{}" })).toThrow();
});

test("a stopped job is stopped, and not failed", async () => {
  await webhooks.create(wanted({ events: ["job.failed", "job.stopped"] }));
  await stopJob(farm(), await submit());
  await deliver();
  expect(typesSent()).toEqual(["job.stopped"]);
});

test("a node that falls silent is lost once, and back once it is connected; one that says goodbye is off", async () => {
  await webhooks.create(wanted({ events: ["node.lost", "node.back", "node.off"] }));
  const node = await world().node();
  await advance(minute);
  await advance(minute);
  await deliver();
  expect(typesSent()).toEqual(["node.lost"]);
  await restart();
  open();
  await advance(minute);
  await deliver();
  expect(typesSent()).toHaveLength(1); // as it was before
  world().connect(node.id);
  await pass({ ...node, id: node.id }, 1);
  await advance(0);
  await deliver();
  expect(typesSent().slice(1)).toEqual(["node.back"]);
  await takeMessage(farm(), node.id, { type: "goodbye" });
  await deliver();
  expect(typesSent().slice(2)).toEqual(["node.off"]);
});

test("a receiver that is down for a day gets all of it, each message once, and is not flooded meanwhile", async () => {
  await webhooks.create(wanted());
  answer = () => down;
  for (let quarter = 0; quarter < 96; quarter++) {
    if (quarter % 8 === 0) await submit();
    await deliver(15 * minute);
  }
  expect((await webhooks.list())[0]).toMatchObject({ is_on: true, counts: { waiting: 12, delivered: 0 } });
  expect((await webhooks.list())[0]?.failing_since).not.toBeNull();
  expect(sent.length).toBeLessThan(150);
  sent = [];
  answer = () => taken;
  for (let quarter = 0; quarter < 96; quarter++) await deliver(15 * minute);
  expect(await states()).toEqual(Array(12).fill("delivered"));
  expect([idsSent().length, new Set(idsSent()).size]).toEqual([12, 12]);
  expect((await webhooks.list())[0]).toMatchObject({ failing_since: null, counts: { waiting: 0, delivered: 12 } });
});

describe("nothing is lost when the coordinator ends", () => {
  test("between the decision and the message", async () => {
    await webhooks.create(wanted());
    const id = await submit();
    await restart();
    open();
    await deliver();
    expect(sent.map((request) => verified(request).data)).toMatchObject([{ job: { id: String(id) } }]);
  });

  test("between the message and the note of it: it comes again, with the same id", async () => {
    await webhooks.create(wanted());
    await submit();
    const { promise, resolve } = Promise.withResolvers<Receipt>();
    answer = () => promise;
    await webhooks.deliver();
    const ended = webhooks.end();
    resolve(taken); // the receiver had it
    await ended;
    await restart();
    open();
    answer = () => taken;
    await deliver();
    expect([sent.length, new Set(idsSent()).size]).toEqual([2, 1]);
    expect(await states()).toEqual(["delivered"]);
  });

  test("and the number of a message does not return", async () => {
    await webhooks.create(wanted());
    await submit();
    await restart();
    open();
    await submit();
    await deliver();
    expect(new Set(idsSent()).size).toBe(2);
  });
});

test("a receiver that never answers holds up neither others nor memory", async () => {
  await webhooks.create(wanted({ name: "slow", url: "https://slow.example/" }));
  await webhooks.create(wanted());
  const { promise, resolve } = Promise.withResolvers<Receipt>();
  answer = ({ url }) => (url.includes("slow") ? promise : taken);
  for (let nr = 0; nr < 20; nr++) await submit();
  for (let times = 0; times < 5; times++) {
    await webhooks.deliver();
    await vi.waitFor(async () => expect(await states()).not.toContain("waiting"), { timeout: 60_000 });
  }
  expect(sent.filter(({ url }) => url.includes("slow"))).toHaveLength(4);
  expect(await states()).toEqual(Array(20).fill("delivered"));
  resolve(taken);
  await webhooks.settle();
  expect(await states("slow")).toEqual(Array(20).fill("delivered"));
});

test("one message that is refused holds up no other", async () => {
  await webhooks.create(wanted());
  const poison = await submit();
  answer = ({ body }) => (body.includes(`"id":"${poison}"`) ? { ...taken, isTaken: false, status: 400 } : taken);
  for (let nr = 0; nr < 5; nr++) await submit();
  await deliver();
  expect((await webhooks.list())[0]).toMatchObject({ failing_since: null, counts: { waiting: 1, delivered: 5 } });
  for (let step = 0; step < 8 * 24; step++) await deliver(hour);
  expect((await webhooks.list())[0]).toMatchObject({ counts: { given_up: 1, delivered: 5 } });
  answer = () => taken;
  const before = sent.find(({ body }) => body.includes(`"id":"${poison}"`))?.headers["webhook-id"];
  expect(await webhooks.sendAgain("one", "given_up")).toEqual({ count: 1 });
  await deliver();
  expect(sent.at(-1)?.headers["webhook-id"]).toBe(before);
  expect(await webhooks.deliveries("one", { state: "given_up", skip: 0, take: 9 })).toEqual({ items: [], count: 0 });
});

describe("a receiver that asks to wait", () => {
  const busy = (retryAfterMs: number): Receipt => ({ isTaken: false, status: 429, answer: "later", retryAfterMs });

  test("gets the message again no sooner, and no other for some minutes", async () => {
    await webhooks.create(wanted());
    answer = () => busy(hour);
    await submit();
    await deliver();
    await submit();
    answer = () => taken;
    await deliver(4 * minute);
    expect(sent).toHaveLength(1);
    await deliver(2 * minute);
    expect(await states()).toEqual(["delivered", "waiting"]);
    await deliver(50 * minute);
    expect(sent).toHaveLength(2);
    await deliver(20 * minute);
    expect(await states()).toEqual(["delivered", "delivered"]);
  });

  test("for ever gets it again after the longest of the usual waits", async () => {
    await webhooks.create(wanted());
    answer = () => busy(Number.POSITIVE_INFINITY);
    await submit();
    await deliver();
    answer = () => taken;
    await deliver(9 * hour);
    expect(sent).toHaveLength(1);
    await deliver(4 * hour);
    expect(await states()).toEqual(["delivered"]);
  });

  test("is tried at once where somebody changes the webhook", async () => {
    await webhooks.create(wanted());
    answer = () => busy(hour);
    await submit();
    await deliver();
    answer = () => taken;
    await webhooks.change("one", { url: new Secret("https://elsewhere.example/") });
    await deliver();
    expect(await states()).toEqual(["delivered"]);
  });
});

test("a webhook that took nothing for days is switched off, which is told; its messages wait until it is on", async () => {
  await webhooks.create(wanted());
  answer = () => down;
  await submit();
  for (let step = 0; step < 6 * 24 && webhooks.silent().length === 0; step++) {
    if (step % 12 === 0) await submit();
    await deliver(hour);
  }
  expect(webhooks.silent()).toMatchObject([{ name: "one", off: "failing", origin: "https://hook.example" }]);
  sent = [];
  await submit();
  await deliver(hour);
  expect(sent).toEqual([]);
  answer = () => taken;
  await webhooks.change("one", { is_on: true });
  await deliver();
  expect(await states()).not.toContain("waiting");
  expect(webhooks.silent()).toEqual([]);
});

test("a receiver that says that it is gone is asked no more", async () => {
  await webhooks.create(wanted());
  answer = () => ({ isTaken: false, status: 410, answer: "https://hook.example answered 410" });
  await submit();
  await deliver();
  await submit();
  await deliver(hour);
  expect(sent).toHaveLength(1);
  expect((await webhooks.list())[0]).toMatchObject({ is_on: false, off: "gone" });
});

test("two secrets sign while one takes the other's place, and then the new one alone", async () => {
  await webhooks.create(wanted());
  await webhooks.rotate("one", { secret: new Secret(second), keep_hours: 24 });
  await submit();
  await deliver();
  for (const secret of [first, second]) expect(verified(sent[0], secret).type).toBe("job.submitted");
  expect((await webhooks.list())[0]?.rotates_until).not.toBeNull();
  await submit();
  await deliver(25 * hour);
  expect(verified(sent[1], second).type).toBe("job.submitted");
  expect(() => verified(sent[1], first)).toThrow();
  expect((await webhooks.list())[0]?.rotates_until).toBeNull();
});

test("a test is sent at once, also where the webhook is off, and is not repeated", async () => {
  await webhooks.create(wanted());
  await webhooks.change("one", { is_on: false });
  expect(await webhooks.test("one")).toMatchObject({ type: "webhook.test", state: "delivered", status: 204 });
  expect(verified(sent[0])).toMatchObject({ type: "webhook.test", data: { webhook: "one" } });
  answer = () => down;
  expect(await webhooks.test("one")).toMatchObject({ state: "given_up", answer: "connect ECONNREFUSED" });
  await webhooks.change("one", { is_on: true });
  await deliver(hour);
  expect(sent).toHaveLength(2);
  await expect(webhooks.test("gone")).rejects.toThrow('There is no webhook "gone"');
});

test("messages are kept for two weeks, and a deleted webhook's for none", async () => {
  await webhooks.create(wanted());
  await submit();
  await deliver();
  await webhooks.trim();
  expect(await states()).toHaveLength(1);
  await advance(15 * day);
  await webhooks.trim();
  expect(await states()).toEqual([]);
  await submit();
  await webhooks.remove("one");
  await webhooks.create(wanted());
  await deliver();
  expect(sent).toHaveLength(1);
});

test("addresses and secrets are in no answer, no log line and nothing that is stored as it is", async () => {
  const lines: string[] = [];
  const log = farm().log;
  for (const level of ["info", "warn", "error"] as const)
    vi.spyOn(log, level).mockImplementation((...told: unknown[]) => void lines.push(JSON.stringify(told)));
  const views = [
    await webhooks.create(wanted()),
    await webhooks.rotate("one", { secret: new Secret(second), keep_hours: 1 }),
  ];
  answer = ({ url }) => ({ isTaken: false, status: 403, answer: `${url} answered 403: no /a-secret-path?key=s3cret` });
  await submit();
  await deliver();
  const told = await webhooks.deliveries("one", { skip: 0, take: 9 });
  const stored = await farm().store.records.get("farm", "webhooks");
  expect(told.items[0]?.answer).toContain("answered 403");
  expect(lines.join()).toContain("a webhook was tried");
  const all = [JSON.stringify([views, await webhooks.list(), told]), lines.join(), stored].join();
  for (const secret of ["a-secret-path", "s3cret", first.slice(6), second.slice(6)]) expect(all).not.toContain(secret);
});

test("a name is taken once, and a farm has a limited number of webhooks", async () => {
  await webhooks.create(wanted());
  await expect(webhooks.create(wanted())).rejects.toThrow('There is a webhook "one" already');
  for (let nr = 1; nr < 50; nr++) await webhooks.create(wanted({ name: `hook-${nr}` }));
  await expect(webhooks.create(wanted({ name: "more" }))).rejects.toThrow("delete one first");
});
