import { beforeEach, expect, test } from "vitest";
import { goodPassword, openTestDoors } from "../../helpers/farm/doors.ts";
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
