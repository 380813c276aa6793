import { setTimeout as pause } from "node:timers/promises";
import { aJob, type Try, unless } from "./world.ts";

/** What programs can learn of others. */
export const oracles: readonly Try[] = [
  [
    "program: what others have",
    "the list",
    async ({ mallory }) =>
      (await mallory("GET", "/jobs/info?fields[]=name&take=1000")).text.includes("alice") && "alice's names",
  ],
  [
    "program: what others have",
    "the count",
    async ({ alice, mallory }) => {
      await alice("POST", "/jobs", aJob("countable-alice"));
      const { body } = await mallory("GET", "/jobs/count?filters[0][field]=name&filters[0][values][]=countable-alice");
      return body?.count > 0 && `it counts ${body.count}`;
    },
  ],
  [
    "program: what others have",
    "the key of a submission",
    async ({ alice, mallory }) => {
      const key = { "idempotency-key": "one-key" };
      const first = await alice("POST", "/jobs", aJob("alice's with a key"), key);
      const second = await mallory("POST", "/jobs", aJob("alice's with a key"), key);
      return second.body?.id === first.body.id && `mallory is told of job ${first.body.id}`;
    },
  ],
  [
    "program: what others have",
    "a preset's content",
    async ({ alice, mallory }) => {
      await alice("POST", "/presets", {
        key: "alices",
        name: "alices",
        kind: "transcode",
        payload: { elements: [], secretword: "marked-word" },
      });
      const read = await mallory("GET", "/presets/alices");
      const list = await mallory("GET", "/presets");
      return (read.text + list.text).includes("marked-word") && read.text;
    },
  ],
  [
    "program: what others have",
    "a preset in a dry run",
    async ({ alice, mallory }) => {
      await alice("POST", "/presets", {
        key: "alices2",
        name: "alices2",
        kind: "source",
        payload: { note: "marked-word" },
      });
      const job = {
        ...aJob("x"),
        payload: { elements: [{ uid: "a", kind: "source", preset_key: "alices2", payload: {} }] },
      };
      return (await mallory("POST", "/jobs?dry_run=true", job)).text.includes("marked-word") && "its payload";
    },
  ],
  [
    "program: what others have",
    "another's preset replaced",
    async ({ alice, mallory }) => {
      const preset = (payload: object) => ({ key: "shared", name: "shared", kind: "transcode", payload });
      await alice("POST", "/presets", preset({ of: "alice" }));
      await mallory("POST", "/presets", preset({ of: "mallory" }));
      await mallory("DELETE", "/presets/shared");
      const { text } = await alice("GET", "/presets/shared");
      return !text.includes('"alice"') && text;
    },
  ],
  [
    "program: what others have",
    "events of their jobs",
    async ({ alice, mallory, origin, pair, malloryUser, ask }) => {
      void mallory;
      const login = await ask(
        "POST",
        "/v1/login",
        { auth_key: malloryUser.auth_key, auth_secret: malloryUser.auth_secret },
        pair,
      );
      const stop = new AbortController();
      const response = await fetch(`${origin}/v1/events`, {
        headers: { ...pair, "x-service-sapiauth": login.body.token, "last-event-id": "0" },
        signal: stop.signal,
      });
      await alice("POST", "/jobs", aJob("heard-alice"));
      const reader = response.body?.getReader();
      let heard = "";
      const end = Date.now() + 1500;
      while (reader && Date.now() < end) {
        const part = await Promise.race([reader.read(), pause(300, undefined)]);
        if (part?.value) heard += Buffer.from(part.value).toString();
      }
      stop.abort();
      return heard.includes("heard-alice") && heard.slice(0, 300); // her own jobs may have any name
    },
  ],
  [
    "program: what others have",
    "a watch's key",
    async ({ mallory }) => unless(await mallory("GET", "/subscriptions/1.x"), 401, 404),
  ],
];
