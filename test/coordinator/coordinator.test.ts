import { afterEach, beforeEach, expect, test } from "vitest";
import { coordinatorConfig } from "../../coordinator/config.ts";
import { type Coordinator, startCoordinator } from "../../coordinator/coordinator.ts";
import packageJson from "../../package.json" with { type: "json" };
import { createTestClock } from "../helpers/clock.ts";
import { goodPassword } from "../helpers/farm/doors.ts";
import { aFolder, removeFolder, silentLog } from "../helpers/farm/farm.ts";

let folder: string;
let running: Coordinator;

const start = async (): Promise<void> => {
  running = await startCoordinator(coordinatorConfig.parse({ dataDir: folder, port: 0 }), {
    clock: createTestClock(),
    random: () => 0,
    log: silentLog,
  });
};

beforeEach(async () => {
  folder = aFolder();
  await start();
});

afterEach(async () => {
  await running.close();
  removeFolder(folder);
});

const codeOf = (url: string | null): string => /#\/welcome\?code=([\w-]{43})$/.exec(url ?? "")?.[1] ?? "";

const signInFirst = (code: string): Promise<Response> =>
  fetch(`${running.dashboardUrl}ui/v1/first-session`, {
    method: "POST",
    headers: { origin: new URL(running.dashboardUrl).origin, "content-type": "application/json" },
    body: JSON.stringify({ code, name: "Ada", password: goodPassword }),
  });

test("every start gives a new link for the first sign-in, until somebody used the newest", async () => {
  const older = codeOf(running.firstSignInUrl);
  await running.close();
  await start();
  const newer = codeOf(running.firstSignInUrl);
  expect(newer).not.toBe(older);
  expect((await signInFirst(older)).status).toBe(401);
  const response = await signInFirst(newer);
  expect([response.status, await response.json()]).toEqual([200, { name: "Ada", role: "owner" }]);
  expect((await signInFirst(newer)).status).toBe(409);
  await running.close();
  await start();
  expect(running.firstSignInUrl).toBeNull();
});

test("the link leads to the pages, which nobody has to sign in for", async () => {
  expect(running.firstSignInUrl).toMatch(new RegExp(`^${running.dashboardUrl}#/welcome`));
  const response = await fetch(running.dashboardUrl);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
});

test("a session outlives a restart", async () => {
  const cookie = (await signInFirst(codeOf(running.firstSignInUrl))).headers.get("set-cookie")?.split(";")[0] ?? "";
  await running.close();
  await start();
  // It is on another port by now, which the cookie's name carries.
  const own = cookie.replace(/_\d+=/, `_${new URL(running.dashboardUrl).port}=`);
  const response = await fetch(`${running.dashboardUrl}ui/v1/farm`, { headers: { cookie: own } });
  expect(await response.json()).toMatchObject({ version: packageJson.version, epoch: running.farm.epoch });
});
