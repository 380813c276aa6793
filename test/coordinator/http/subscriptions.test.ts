import { expect, test } from "vitest";
import { subscriptionKey } from "../../../coordinator/secrets/subscription-key.ts";
import { type FarmEvent, farmEvent } from "../../../shared/api/events.ts";
import type { ReachKind, Scope } from "../../../shared/people/scopes.ts";
import { turns } from "../../helpers/clock.ts";
import { openTestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aSmallJob } from "../../helpers/farm/farm.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

const world = aWorldPerTest({
  open: openTestCoordinator,
  close: async ({ coordinator, clock }) => {
    await coordinator.close();
    await turns(50); // the listeners' sockets close after the server
    expect(clock.waiting()).toBe(0);
  },
});

const submitted = async (name: string): Promise<{ id: string; key: string }> => {
  const { id } = (await world().api("POST", "/jobs", { body: aSmallJob({ name }) })).body;
  const { body } = await world().api("GET", `/jobs/${id}/result`);
  return { id, key: body.job.subscription_key };
};

type Heard = { readonly id: string | undefined; readonly event: FarmEvent };

/** Hears a job's stream with its key alone; `until` reads on until the events hold what it looks for, or the stream ends. */
const subscribe = async (key: string, lastEventId?: string) => {
  const end = new AbortController();
  const headers = lastEventId === undefined ? undefined : { "last-event-id": lastEventId };
  const response = await fetch(`${world().origin}/v1/subscriptions/${key}`, {
    signal: end.signal,
    ...(headers && { headers }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const heard = (): Heard[] =>
    text.split("\n\n").flatMap((block) => {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      return data === undefined
        ? []
        : [{ id: /^id: (.*)$/m.exec(block)?.[1], event: farmEvent.parse(JSON.parse(data)) }];
    });
  const until = async (holds: (events: readonly Heard[]) => boolean): Promise<Heard[]> => {
    while (!holds(heard())) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return heard();
      text += value ?? "";
    }
    return heard();
  };
  return { response, until, end: () => end.abort() };
};

test("the key of a job's result hears that job and no other, without any other credentials", async () => {
  const [mine, other] = [await submitted("mine"), await submitted("other")];
  expect(mine.key).toMatch(/^1\.[\w-]+\.[\w-]{43}$/);
  expect(mine.key.slice(2)).not.toBe(other.key.slice(2));
  const stream = await subscribe(mine.key);
  expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
  const [first] = await stream.until((events) => events.length > 0);
  expect(first?.event).toMatchObject({ type: "job.changed", job: { id: mine.id, name: "mine", status: "queued" } });
  await world().api("PUT", `/jobs/${other.id}`, { body: { name: "other, renamed" } });
  await world().api("PUT", `/jobs/${mine.id}`, { body: { name: "mine, renamed" } });
  const names = (events: readonly Heard[]) =>
    events.flatMap(({ event }) => (event.type === "job.changed" ? [event.job.name] : []));
  const heard = await stream.until((events) => names(events).includes("mine, renamed"));
  expect(names(heard).filter((name) => name.startsWith("other"))).toEqual([]);
  stream.end();
});

test("the stream ends when the job is deleted, and its key opens nothing afterwards", async () => {
  const { id, key } = await submitted("gone");
  const stream = await subscribe(key);
  await stream.until((events) => events.length > 0);
  await world().api("DELETE", `/jobs/${id}`);
  const heard = await stream.until(() => false);
  expect(heard.at(-1)?.event).toEqual({ type: "job.deleted", job_id: id });
  expect((await subscribe(key)).response.status).toBe(401);
});

test("a key is as good as whoever it was made for: it ends with a revoked user, and opens no job out of their reach", async () => {
  const { farm } = world().coordinator;
  const { accounts } = farm.store;
  const { id } = await submitted("somebody's");
  const { key } = await submitted("mine");
  const stream = await subscribe(key);
  await stream.until((events) => events.length > 0);
  const job = await farm.store.load.row("jobs", Number(id));
  if (!job) throw new Error("it was just sent");
  const make = (name: string, scope: Scope, reach: ReachKind) =>
    accounts.createUser(
      { auth_key: name, secretHash: name, name, created: 0, expires: null, scopes: [scope], reach, group: null },
      9,
    );
  await make("other", "jobs:read", "own");
  await make("seer", "jobs:read", "all");
  await make("blind", "nodes:read", "all");
  const statusFor = async (who: string) => (await subscribe(subscriptionKey(farm, job, who))).response.status;
  const answers = ["api user 2", "api user 3", "api user 4", "api user 99", "person 99", "this machine"].map(statusFor);
  expect(await Promise.all(answers)).toEqual([401, 200, 401, 401, 401, 200]);
  await accounts.revokeUser(world().secrets.authKey, 0);
  await world().clock.advance(15_000);
  expect((await stream.until(() => false)).length).toBeGreaterThan(0);
  expect((await subscribe(key)).response.status).toBe(401);
});

test("a subscriber that comes back hears what it missed", async () => {
  const { id, key } = await submitted("first");
  const stream = await subscribe(key);
  await stream.until((events) => events.length > 0);
  await world().api("PUT", `/jobs/${id}`, { body: { name: "second" } });
  const seen = await stream.until((events) => events.some((each) => each.id !== undefined));
  stream.end();
  await world().api("PUT", `/jobs/${id}`, { body: { name: "third" } });
  const again = await subscribe(key, seen.findLast((each) => each.id !== undefined)?.id);
  const [missed] = await again.until((events) => events.length > 0);
  expect(missed?.event).toMatchObject({ type: "job.changed", job: { name: "third" } });
  again.end();
});

test.each(["1.AAAA", "1.", "nonsense", "999.x", `1.${"A".repeat(43)}`, "1%2e0"])("%s opens nothing", async (key) => {
  await submitted("a job");
  const response = await fetch(`${world().origin}/v1/subscriptions/${key}`);
  expect([response.status, await response.json()]).toMatchObject([401, { error: "NOT_AUTHENTICATED" }]);
});
