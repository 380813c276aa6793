import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { askLimits, createAsk } from "../../../agent/outbound/ask.ts";
import { createTestClock, turns } from "../../helpers/clock.ts";
import { openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import { aFolder, removeFolder } from "../../helpers/farm/farm.ts";

let folder: string;
let doors: TestDoors;
let owner: string;
let issuer: string;
let asked: string[];
let answer: RequestListener;
const clock = createTestClock();
const server = createServer((request, response) => {
  asked.push(request.url ?? "");
  answer(request, response);
});

beforeEach(async () => {
  folder = aFolder();
  asked = [];
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  doors = await openTestDoors(folder, { askOutside: createAsk(clock) });
  owner = await doors.enter("owner");
  const roles = { owner: ["admins"], operator: [], viewer: [] };
  await doors.ask("POST", "/identity/providers", owner, { name: "liar", issuer, client_id: "farm", roles });
});
afterEach(async () => {
  await doors.close();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
  removeFolder(folder);
});

const truth = () => ({
  ...{
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
  },
});
const say =
  (text: string, status = 200, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);

const testIt = () => doors.ask("POST", "/identity/providers/liar/tests", owner);
const beginIt = () => doors.ask("POST", "/sign-ins/liar", undefined, {});

test("a provider that tells the truth is known, and asked once in five minutes however many sign in", async () => {
  answer = say(JSON.stringify({ ...truth(), end_session_endpoint: `${issuer}/end` }));
  expect((await testIt()).body).toEqual({ issuer, ends_sessions: true, tells_sign_outs: false });
  for (let times = 0; times < 5; times += 1) expect((await beginIt()).status).toBe(200);
  expect(asked).toEqual(["/.well-known/openid-configuration"]);
  await doors.clock.advance(300_000);
  await beginIt();
  expect(asked).toHaveLength(2);
});

test.each<[string, () => RequestListener, RegExp]>([
  ["speaks of another issuer", () => say(JSON.stringify({ ...truth(), issuer: "https://other.example" })), /issuer/],
  ["names no keys", () => say(JSON.stringify({ ...truth(), jwks_uri: undefined })), /jwks_uri/],
  [
    "leads into the network without TLS",
    () => say(JSON.stringify({ ...truth(), token_endpoint: "http://10.0.0.1/" })),
    /token_endpoint/,
  ],
  [
    "has a script as its sign-out",
    () => say(JSON.stringify({ ...truth(), end_session_endpoint: "javascript:alert(1)" })),
    /end_session/,
  ],
  [
    "has a file as its sign-in",
    () => say(JSON.stringify({ ...truth(), authorization_endpoint: "file:///etc/passwd" })),
    /authorization/,
  ],
  [
    "answers more than a provider has to say",
    () => say(`{"issuer":"${"x".repeat(askLimits.answerBytes)}"}`),
    /more than 512 kB/,
  ],
  ["answers no JSON", () => say("<html>"), /liar cannot be asked/],
  ["answers a list", () => say("[]"), /liar cannot be asked/],
  ["sends elsewhere", () => say("", 302, { location: "http://169.254.169.254/" }), /redirect/],
  ["answers an error", () => say("{}", 500), /status/],
  ["hangs up", () => (_request, response) => void response.destroy(), /closed/],
])("one that %s is refused: owners learn why, strangers only that", async (_, listener, why) => {
  answer = listener();
  const { status, body } = await testIt();
  expect([status, body.error]).toEqual([409, "CONFLICT"]);
  expect(body.message).toMatch(why);
  const begun = await beginIt();
  expect(begun.status).toBeGreaterThanOrEqual(400);
  expect(begun.status).toBeLessThan(500);
  expect(begun.headers["set-cookie"]).toBeUndefined();
});

test("one that never ends its answer is given up after ten seconds, and asked again ten seconds later", async () => {
  answer = (_request, response) => void response.writeHead(200, { "content-type": "application/json" }).write("{");
  const slow = testIt();
  while (asked.length === 0 || clock.waiting() === 0) await turns();
  await clock.advance(askLimits.timeMs);
  expect((await slow).body.message).toMatch(/did not answer within 10 s/);
  // Strangers do not have it asked again and again.
  expect((await beginIt()).status).toBe(403);
  expect(asked).toHaveLength(1);
  answer = say(JSON.stringify(truth()));
  await doors.clock.advance(10_000);
  expect((await beginIt()).status).toBe(200);
});

test("one whose keys or token lie in the studio's network leads nowhere there", async () => {
  const ask = createAsk(clock);
  const question = { method: "GET", headers: {}, rules: [`127.0.0.1:${new URL(issuer).port}`] };
  answer = say("{}");
  expect((await ask({ ...question, url: `${issuer}/jwks` })).status).toBe(200);
  for (const url of ["https://10.0.0.1/jwks", "https://169.254.169.254/", "https://127.0.0.1:1/", "https://[fd00::1]/"])
    await expect(ask({ ...question, url })).rejects.toThrow(/may not reach|is not among/);
});

test("a farm that asks nobody outside says so", async () => {
  await doors.close();
  doors = await openTestDoors(folder);
  const cookie = await doors.enter("owner", "Eve");
  const { status, body } = await doors.ask("POST", "/identity/providers/liar/tests", cookie);
  expect([status, body.message]).toEqual([409, "This coordinator asks nobody outside"]);
});
