import { type ChildProcess, fork } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "../../../electron/build.ts";
import { openSettings } from "../../../electron/desktop/settings.ts";
import { exitOf, until } from "../../helpers/processes/farm-processes.ts";

/** The built main process as it is shipped, with its real coordinator and agent; only Electron itself is a stub. */
const root = join(import.meta.dirname, "../../..");
const app = join(root, ".build/desktop-test");
const folder = mkdtempSync(join(tmpdir(), "mediafarm-desktop-"));
const userData = join(folder, "user-data");
let child: ChildProcess;
const heard: Record<string, unknown>[] = [];

beforeAll(async () => {
  await buildApp(app);
  const { lending } = openSettings(userData).get();
  openSettings(userData).change({ farm: { mode: "farm", port: 0 }, lending: { ...lending, noticeSec: 1 } });
  child = fork(join(app, "main.js"), [], {
    execArgv: ["--import", join(root, "test/helpers/fixtures/with-stub-electron.ts")],
    env: {
      ...process.env,
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, "config"),
      STUB_USER_DATA: userData,
      MEDIAFARM_DATA: join(folder, "data"),
    },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.on("message", (message) => heard.push(message as Record<string, unknown>)); // the stub sends objects
});
afterAll(async () => {
  child.kill("SIGKILL");
  await exitOf(child);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const last = (event: string) => heard.findLast((each) => each.event === event);
const untilTray = (words: string) =>
  until(`the tray's "${words}"`, () => String(last("tray")?.words).startsWith(`Mediafarm: ${words}`));
const pageUrl = (): string => String(last("page")?.url);

const ask = async (name: string, input: object, url = pageUrl()) => {
  const before = heard.length;
  child.send({ ask: name, input, url });
  const reply = () => heard.slice(before).find((each) => each.event === "reply" && each.ask === name)?.reply;
  await until(`an answer to ${name}`, () => reply() !== undefined);
  return reply();
};

test("the built desktop app starts its farm, lends, stops and starts by the bridge, and leaves nothing behind", async () => {
  await untilTray("Lending, no tasks now");
  expect(pageUrl()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
  expect(existsSync(join(folder, "Mediafarm"))).toBe(true);

  const stop = { do: "stop", until: null };
  expect(await ask("press", { press: stop })).toMatchObject({ ok: true, value: { press: stop } });
  await untilTray("Lending is stopped");
  expect(await ask("press", { press: null }, "https://example.com/")).toMatchObject({ ok: false });
  expect(await ask("press", { press: null })).toMatchObject({ ok: true, value: { press: null } });
  await untilTray("Lending, no tasks now");

  const pids = heard.filter(({ event }) => event === "started").map(({ pid }) => Number(pid));
  expect(pids.length).toBe(2);
  const [coordinator = 0] = pids;
  process.kill(coordinator, "SIGKILL");
  await untilTray("Not running");
  await untilTray("Lending, no tasks now");

  child.send({ emit: "quit" });
  expect(await exitOf(child)).toBe(0);
  const alive = heard.filter(({ event, pid }) => event === "started" && isAlive(Number(pid)));
  expect(alive).toEqual([]);
  expect(readFileSync(join(userData, "logs/agent.log"), "utf8")).toContain("Connected");
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
