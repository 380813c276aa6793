import { expect, test } from "vitest";
import { openJoinTokens } from "../../../coordinator/connections/join-tokens.ts";
import type { Log } from "../../../coordinator/log.ts";
import { decodeJoinToken } from "../../../shared/credentials/join-token.ts";
import { openTestDoors } from "../../helpers/farm/doors.ts";
import { silentLog } from "../../helpers/farm/farm.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

const doors = aWorldPerTest({ open: openTestDoors, close: (each) => each.close() });

const wrong = expect.stringMatching(/^The join token is not this farm's/);

/** The tokens as a start of the coordinator finds them, and what is logged of them. */
const open = async () => {
  const said: unknown[] = [];
  const log: Log = Object.assign(Object.create(silentLog), { warn: (...words: unknown[]) => said.push(words) });
  return { tokens: await openJoinTokens({ ...doors().farm, log }, () => "farm.test:8700"), said };
};

test("an owner sees the join token, and makes another that takes its place", async () => {
  const owner = await doors().enter("owner", "Ada");
  const { body: first } = await doors().ask("GET", "/join-token", owner);
  const { status, body: second } = await doors().ask("PUT", "/join-token", owner);
  const { body: shown } = await doors().ask("GET", "/join-token", owner);
  const [before, after] = [decodeJoinToken(first.join_token), decodeJoinToken(second.join_token)];
  expect([status, shown]).toEqual([200, second]);
  expect(after).toEqual({ ...before, secret: expect.stringMatching(/^[\w-]{43}$/) });
  expect(after.secret).not.toBe(before.secret);
});

test.each(["operator", "viewer"] as const)("for the role %s there is no join token", async (role) => {
  const cookie = await doors().enter(role);
  const answers = [await doors().ask("GET", "/join-token", cookie), await doors().ask("PUT", "/join-token", cookie)];
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
    [403, "NOT_ALLOWED"],
    [403, "NOT_ALLOWED"],
  ]);
});

test("programs of the API have no way to it", async () => {
  expect((await doors().inject({ method: "GET", url: "/v1/join-token" })).status).toBe(404);
});

test("a new token holds after a restart, an old one lets nobody in any more, and the log says who made it", async () => {
  const { tokens, said } = await open();
  const old = await tokens.current();
  const renewed = await tokens.renew("Ada");
  const { tokens: restarted } = await open();
  expect([
    ...[await restarted.current(), await restarted.use(renewed), await restarted.use(old)],
    await tokens.use(old),
  ]).toEqual([renewed, { by: "farm", isPending: false }, wrong, wrong]);
  expect(said).toEqual([[{ who: "Ada" }, "the join token was replaced: the old one no longer works"]]);
  expect(JSON.stringify(said)).not.toContain(decodeJoinToken(renewed.reveal()).secret);
});
