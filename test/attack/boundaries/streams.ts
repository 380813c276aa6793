import { setTimeout as pause } from "node:timers/promises";
import { aJob, type Try, type World } from "./world.ts";

/** Listeners of different rights side by side: what is composed for one must reach no other. */

const headersOf = async ({ ask, pair }: World, { auth_key, auth_secret }: Record<string, string>) => {
  const { body } = await ask("POST", "/v1/login", { auth_key, auth_secret }, pair);
  return { ...pair, "x-service-sapiauth": String(body?.token) };
};

/** Hears what comes until it is told to end. */
const listen = async ({ origin }: World, headers: Record<string, string>, path = "/v1/events") => {
  const end = new AbortController();
  const { body, status } = await fetch(origin + path, { headers, signal: end.signal });
  let heard = "";
  const over = (async () => {
    for await (const part of body ?? []) heard += Buffer.from(part).toString();
  })().catch(() => undefined);
  return {
    status,
    heard: () => heard,
    end: async () => {
      end.abort();
      await over;
    },
  };
};

const secret = "a name that others must not hear";
type Setting = {
  readonly before?: Record<string, string>;
  /** Listeners of everything who join first: their texts are made before. */
  readonly others?: number;
};

const hears = (what: string, power: object, { before = {}, others = 3 }: Setting = {}): Try => [
  "event streams: what others hear",
  what,
  async (world) => {
    const all = await headersOf(world, await world.userOf(`all ${what}`, { reach: "all" }));
    const some = await headersOf(world, await world.userOf(`some ${what}`, power));
    const crowd = await Promise.all(Array.from({ length: others }, () => listen(world, all)));
    const listener = await listen(world, { ...some, ...before });
    const later = await listen(world, all);
    await world.alice("POST", "/jobs", aJob(secret));
    for (let tries = 0; tries < 100 && !later.heard().includes(secret); tries += 1) await pause(50);
    await pause(100);
    const got = listener.heard();
    for (const each of [...crowd, listener, later]) await each.end();
    if (!later.heard().includes(secret)) return "nobody heard it";
    return got.includes(secret) && `it was heard: ${got.slice(0, 200)}`;
  },
];

const read = { scopes: ["jobs:read"] };
export const streamTries: readonly Try[] = [
  hears("by who reaches their own", { ...read, reach: "own" }),
  hears("by who reaches a group", { ...read, reach: "group", group: "g" }),
  hears("by who reaches a group without a name", { ...read, reach: "group" }),
  hears("by who may not read jobs", { scopes: ["nodes:read"], reach: "all" }),
  hears("by who comes back for everything", { ...read, reach: "own" }, { before: { "last-event-id": "1-0" } }),
  hears("by who comes back for what never was", { ...read, reach: "own" }, { before: { "last-event-id": "9-9" } }),
  hears("by who names no number", { ...read, reach: "own" }, { before: { "last-event-id": "NaN--1" } }),
  hears("while many listen, and events gather", { ...read, reach: "own" }, { others: 60 }),
  [
    "event streams: what others hear",
    "by the key of another job",
    async (world) => {
      const { body: own } = await world.mallory("POST", "/jobs", aJob("mallory's"));
      const { body } = await world.mallory("GET", `/jobs/${own.id}/result`);
      const listener = await listen(world, {}, `/v1/subscriptions/${body.job.subscription_key}`);
      await world.alice("POST", "/jobs", aJob(secret));
      await pause(700);
      await listener.end();
      return (listener.status !== 200 || listener.heard().includes(secret)) && listener.heard();
    },
  ],
  [
    "event streams: what others hear",
    "by a key whose job was exchanged",
    async (world) => {
      const { body: own } = await world.mallory("POST", "/jobs", aJob("mallory's"));
      const { body: alices } = await world.alice("POST", "/jobs", aJob(secret));
      const { body } = await world.mallory("GET", `/jobs/${own.id}/result`);
      const key = String(body.job.subscription_key).replace(/^\d+/, String(alices.id));
      const listener = await listen(world, {}, `/v1/subscriptions/${key}`);
      await pause(200);
      await listener.end();
      return listener.status === 200 && listener.heard();
    },
  ],
  [
    "event streams: what others hear",
    "by a program that was revoked, once it is looked at again",
    async (world) => {
      const user = await world.userOf("revoked listener", { reach: "all" });
      const listener = await listen(world, await headersOf(world, user));
      await world.owner("DELETE", `/api-users/${user.auth_key}`);
      await pause(15_500); // streams are looked at every quarter of a minute
      await world.alice("POST", "/jobs", aJob(secret));
      await pause(700);
      await listener.end();
      return listener.heard().includes(secret) && "it was heard";
    },
  ],
];
