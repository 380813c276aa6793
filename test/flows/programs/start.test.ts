import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { exitOf, until } from "../../helpers/processes/farm-processes.ts";

const start = (words: readonly string[], more: { readonly detached?: boolean } = {}) => {
  const home = mkdtempSync(join(tmpdir(), "mediafarm-start-"));
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...rest } = process.env;
  const env = { ...rest, HOME: home, XDG_CONFIG_HOME: join(home, "config") };
  const file = join(import.meta.dirname, "../../../electron/start.ts");
  const child = spawn(process.execPath, [file, ...words], { env, stdio: ["ignore", "pipe", "pipe"], ...more });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exitOf(child);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  const urlOf = (name: string): string => new RegExp(`${name} +(http\\S+)`).exec(said)?.[1] ?? "";
  return { home, child, said: () => said, urlOf };
};

test("without a display npm start says so, starts the farm, names its folders, and ends at SIGTERM", async () => {
  const { home, child, said, urlOf } = start(["--port", "0"]);
  await until("the farm", () => said().includes("Stop with Ctrl-C."));

  expect(said()).toContain("Starting the farm and its dashboard in the browser: there is no display");
  expect(said()).toContain(`Media       ${join(home, "Mediafarm")}`);
  expect(existsSync(join(home, "Mediafarm"))).toBe(true);
  expect((await fetch(urlOf("Dashboard"))).status).toBe(200);
  expect(new URL("/v1", urlOf("Dashboard")).href).toBe(urlOf("API"));

  const port = new URL(urlOf("Dashboard")).port;
  expect(said()).toContain(`ssh -N -L ${port}:127.0.0.1:${port} `);
  expect(said()).toContain("npm start -- --host 0.0.0.0");

  child.kill("SIGTERM");
  expect(await exitOf(child)).toBe(0);
  await expect(fetch(urlOf("Dashboard"))).rejects.toThrow();
});

test("a taken port is said, and the farm gets a free one", async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  // Where another program has the usual port already, that serves as well.
  await new Promise<void>((resolve) => server.once("error", () => resolve()).listen(8700, "127.0.0.1", resolve));
  const { child, said, urlOf } = start(["--browser"]);
  await until("the farm", () => said().includes("Stop with Ctrl-C."));

  expect(said()).toContain("in the browser: --browser was given.");
  expect(said()).toContain("Port 8700 is taken by another program; the farm gets a free one.");
  expect(new URL(urlOf("Dashboard")).port).not.toBe("8700");
  child.kill("SIGTERM");
  expect(await exitOf(child)).toBe(0);
});

test("wrong words end it with the farm's own words and status", async () => {
  const { child, said } = start(["--sideways"]);
  expect(await exitOf(child)).toBe(2);
  expect(said()).toContain("--sideways");
});

test("Ctrl-C in a terminal reaches the whole group of programs, and all of them end cleanly", async () => {
  const { child, said } = start(["--port", "0"], { detached: true });
  await until("the farm", () => said().includes("Stop with Ctrl-C."));
  const group = -(child.pid ?? 0);
  process.kill(group, "SIGINT");
  process.kill(group, "SIGTERM"); // as npm and others pass it on
  expect(await exitOf(child)).toBe(0);
  await until("no program of the group", () => isGone(group));
  expect(said()).not.toMatch(/Error|exit status/);
});

const isGone = (group: number): boolean => {
  try {
    process.kill(group, 0);
    return false;
  } catch {
    return true;
  }
};
