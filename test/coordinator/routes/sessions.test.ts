import { beforeEach, expect, test } from "vitest";
import { turns } from "../../helpers/clock.ts";
import { fromOwnPages, goodPassword, openTestDoors } from "../../helpers/farm/doors.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

const doors = aWorldPerTest({ open: openTestDoors, close: (each) => each.close() });
let first: string;
beforeEach(async () => {
  first = await doors().enter("viewer", "Ada");
});

const sessionsOf = async (cookie: string) => (await doors().ask("GET", "/sessions", cookie)).body.items;

test("a person sees from where and when their sessions were begun, and which one asks", async () => {
  await doors().clock.advance(60_000);
  const { headers } = await doors().inject({
    ...{ method: "POST", url: "/ui/v1/session", payload: { name: "Ada", password: goodPassword } },
    headers: { host: "farm.test", origin: "http://farm.test", "user-agent": "Firefox/150" },
  });
  const [second = ""] = /mediafarm_session=([\w-]+)/.exec(String(headers["set-cookie"]))?.slice(1) ?? [];
  const [newer, older] = await sessionsOf(second);
  expect(newer).toEqual({
    ...{
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      began: "2026-11-01T00:01:00.000Z",
      ends: "2026-11-01T12:01:00.000Z",
    },
    ...{ origin: "127.0.0.1", browser: "Firefox/150", is_this: true },
  });
  expect(older).toMatchObject({ began: "2026-11-01T00:00:00.000Z", is_this: false });
});

test("a person ends their own sessions, and nobody else's", async () => {
  const other = (await doors().signIn("Ada")).cookie ?? "";
  const eve = await doors().enter("owner", "Eve");
  const id = (await sessionsOf(other)).find((each: { is_this: boolean }) => !each.is_this).id;
  for (const wrong of [id, "0".repeat(16)])
    expect((await doors().ask("DELETE", `/sessions/${wrong}`, eve)).status).toBe(404);
  expect((await doors().ask("DELETE", `/sessions/${id}`, other)).status).toBe(200);
  expect((await doors().ask("GET", "/session", first)).status).toBe(401);
  expect((await sessionsOf(other)).length).toBe(1);
  expect((await doors().ask("DELETE", `/sessions/${id}`, other)).status).toBe(404);
});

test("after five wrong guesses all addresses of one IPv6 network wait, and other networks do not", async () => {
  const guess = (address: string) =>
    doors().inject({
      ...{ method: "POST", url: "/ui/v1/session", headers: fromOwnPages, remoteAddress: address },
      payload: { name: `nobody at ${address}`, password: "a guess" },
    });
  for (let nr = 1; nr <= 5; nr += 1) expect((await guess(`2001:db8::${nr}`)).status).toBe(401);
  let isAnswered = false;
  const sixth = guess("2001:db8::6").finally(() => {
    isAnswered = true;
  });
  expect((await guess("2001:db8:0:1::1")).status).toBe(401);
  await turns();
  expect(isAnswered).toBe(false);
  while (!isAnswered) await doors().clock.advance(200);
  expect((await sixth).status).toBe(401);
});
