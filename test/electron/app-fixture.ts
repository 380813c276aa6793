import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createApp } from "../../electron/app.ts";
import { openSettings, type Settings } from "../../electron/desktop/settings.ts";
import { encodeJoinToken } from "../../shared/credentials/join-token.ts";
import type { LendingReport } from "../../shared/lending/lending.ts";
import { createTestClock, turns } from "../helpers/clock.ts";
import { createFakeDesktop } from "./fake-desktop.ts";

export const ownToken = encodeJoinToken({ url: "ws://127.0.0.1:8700/v1/agent", farmId: "own", secret: "s" });
export const otherToken = encodeJoinToken({ url: "ws://farm.example:8700/v1/agent", farmId: "other", secret: "s" });

export const aReport = (standing: Partial<LendingReport["standing"]> = {}, running = 0): LendingReport => ({
  standing: { state: "lending", why: "Lending", until: null, takes: true, isSuspended: false, ...standing },
  canSuspend: true,
  held: null,
  running: Array.from({ length: running }, (_, at) => ({ taskId: at, name: `task ${at}`, percent: 10, workedMs: 0 })),
  ended: [],
  days: [],
});

/** The app on a fake desktop, with a farm that answers from `farm`. */
export const startApp = (
  settings: Partial<Settings> = {},
  desktopOptions: { isFirst?: boolean; updateKey?: string; fetch?: typeof fetch } = {},
) => {
  const home = mkdtempSync(join(tmpdir(), "mediafarm-shell-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const fake = createFakeDesktop(desktopOptions);
  const clock = createTestClock();
  const store = openSettings(join(home, "settings"));
  store.change({ farm: { mode: "farm", port: 8700 }, ...settings });
  const farm = { isUp: true, state: "active", running: 0, asked: [] as string[] };
  const bugs: unknown[] = [];

  const answer = (url: string, init: RequestInit | undefined): object => {
    const { pathname } = new URL(url);
    farm.asked.push(`${init?.method ?? "GET"} ${pathname}${init?.body ? ` ${init.body}` : ""}`);
    if (pathname === "/v1/login") return { token: "t", expiration_time: "" };
    if (pathname === "/healthz") return { status: "ok" };
    if (init?.method === "PUT") farm.state = JSON.parse(String(init.body)).state ?? farm.state;
    const node = { id: "7", state: farm.state, running: Array.from({ length: farm.running }, () => ({})) };
    return pathname === "/v1/nodes" ? { items: [node] } : node;
  };
  const fetchFake = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    if (!farm.isUp) throw new TypeError("fetch failed");
    return Response.json(answer(String(url), init));
  };

  const app = createApp({
    desktop: fake.desktop,
    clock,
    settings: store,
    dataFolder: join(home, ".mediafarm"),
    home,
    resourcesDir: undefined,
    fetch: desktopOptions.fetch ?? fetchFake,
    findFarms: () => ({ found: () => [{ name: "Studio", address: "studio.local:8700" }], stop: () => {} }),
    updateKey: desktopOptions.updateKey,
    logBug: (problem) => bugs.push(problem),
  });
  const isStarted = app.start();

  return {
    ...fake,
    app,
    clock,
    farm,
    home,
    store,
    bugs,
    isStarted,
    window: () => {
      const [window] = fake.windows;
      if (!window) throw new Error("no window was opened");
      return window;
    },
    /** The agent tells how it lends. */
    report: (standing: Partial<LendingReport["standing"]> = {}, running = 0): void =>
      fake.service("agent").tell({ type: "lending", report: aReport(standing, running) }),
    /** The coordinator is ready and the agent has connected. */
    untilLending: async () => {
      fake.service("coordinator").tell({
        type: "ready",
        baseUrl: "http://127.0.0.1:8700/v1",
        dashboardUrl: "http://127.0.0.1:8700/",
        joinToken: ownToken,
        access: {
          baseUrl: "http://127.0.0.1:8700/v1",
          oapiKey: "k",
          oapiSecret: "s",
          authKey: "a",
          authSecret: "b",
        },
      });
      fake.service("agent").tell({ type: "connected", nodeId: 7 });
      fake.service("agent").tell({ type: "lending", report: aReport({}, farm.running) });
      await turns();
    },
  };
};
