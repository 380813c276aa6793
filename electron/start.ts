import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { systemClock } from "../shared/basics/system-clock.ts";
import { defaultDataFolder, defaultMediaFolder } from "./desktop/default-folders.ts";
import { type Binary, fetchElectron } from "./start/electron-binary.ts";
import { browserCommand, hasDisplay, isWorthFetching, planStart, reachWords } from "./start/start-plan.ts";

/**
 * `npm start`: the desktop app, or, where it cannot run, the farm and its dashboard in the browser. Prints which of the
 * two it starts and why. Arguments after `--` go to `mediafarm up`; `--browser` chooses the browser.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const usualPort = 8700;
/** An app that fails this early never showed its window: its libraries or its sandbox are missing. */
const earlyMs = 10_000;

const say = (words: string): void => console.log(words);

const main = async (): Promise<number> => {
  const words = process.argv.slice(2).filter((word) => word !== "--browser");
  const facts = {
    platform: process.platform,
    hasDisplay: hasDisplay(process.platform, process.env),
    isRoot: process.getuid?.() === 0,
    wantsBrowser: words.length < process.argv.length - 2,
  };
  const binary: Binary = isWorthFetching(facts) ? await fetchElectron(process.env, say) : { missing: "not looked for" };
  const plan = planStart({ ...facts, binary });
  buildPages();
  if (plan.start === "browser") return startInBrowser(plan.why, words);
  say(`Opening the desktop app: ${plan.why}.`);
  const { buildApp } = await import("./build.ts"); // Vite takes seconds to load, which the browser need not wait for
  await buildApp();
  const status = await runApp(plan.binary);
  return status === "early" ? startInBrowser("the desktop app ended at once; its words are above", words) : status;
};

/** Builds the dashboard's pages if this clone has their sources and they are not built yet. */
const buildPages = (): void => {
  if (!existsSync(join(root, "vite.config.ts")) || existsSync(join(root, "renderer/dist/index.html"))) return;
  say("Building the dashboard's pages …");
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const built = spawnSync(process.execPath, [vite, "build", "--logLevel", "warn"], {
    ...{ cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
  });
  if (built.status === 0) return; // what its plugins warn of is for who works on Mediafarm
  say(`${built.stdout}${built.stderr}The pages could not be built: the farm starts without them.`);
};

const runApp = (binary: string): Promise<number | "early"> =>
  new Promise((resolve) => {
    const begun = systemClock.monotonic();
    const child = spawn(binary, [join(root, "electron/dist/main.js")], { cwd: root, stdio: "inherit" });
    const isAsked = passSignals(child);
    child.once("error", () => resolve("early"));
    child.once("exit", (status) => {
      const isEarly = status !== 0 && !isAsked() && systemClock.monotonic() - begun < earlyMs;
      resolve(isEarly ? "early" : (status ?? 1));
    });
  });

const ready = z
  .object({
    event: z.literal("ready"),
    base_url: z.string(),
    dashboard_url: z.string(),
    first_sign_in_url: z.string().nullable(),
  })
  .loose();
type Ready = z.output<typeof ready>;

const startInBrowser = async (why: string, words: readonly string[]): Promise<number> => {
  say(`Starting the farm and its dashboard in the browser: ${why}.`);
  const media = defaultMediaFolder(homedir());
  const names = (flag: string): boolean => words.some((word) => word === flag || word.startsWith(`${flag}=`));
  const roots = names("--root") ? [] : ["--root", media];
  if (roots.length > 0) mkdirSync(media, { recursive: true });
  const port = names("--port") || (await isFree(usualPort)) ? [] : ["--port", "0"];
  if (port.length > 0) say(`Port ${usualPort} is taken by another program; the farm gets a free one.`);
  const argv = [join(root, "cli/main.ts"), "up", "--json", ...roots, ...port, ...words];
  const env = { MEDIAFARM_LOG: "warn", ...process.env };
  const child = spawn(process.execPath, argv, { env, stdio: ["ignore", "pipe", "inherit"] });
  passSignals(child);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const parsed = ready.safeParse(JSON.parse(line));
    if (parsed.success) tellReady(parsed.data, roots.length > 0 ? media : undefined);
  });
  return new Promise((resolve) => child.once("exit", (status) => resolve(status ?? 1)));
};

const tellReady = (farm: Ready, media: string | undefined): void => {
  const secrets = ["oapi_key", "oapi_secret", "auth_key", "auth_secret"].filter((name) => farm[name]);
  say(`
Mediafarm is running.
  Dashboard   ${farm.dashboard_url}
  API         ${farm.base_url}
  Data        ${defaultDataFolder(homedir())} (unless --data names another)${
    media ? `\n  Media       ${media}: jobs may read and write here; -- --root DIR names another folder` : ""
  }`);
  if (farm.first_sign_in_url)
    say(`  Nobody can sign in yet. Create the owner with this link, once: ${farm.first_sign_in_url}`);
  if (secrets.length > 0) say("  These are shown once; this user's commands find them by themselves:");
  for (const name of secrets) say(`  ${name.padEnd(11)} ${farm[name]}`);
  const reach = reachWords(farm.dashboard_url, hostname(), hasDisplay(process.platform, process.env));
  if (reach !== undefined) say(reach);
  say("Stop with Ctrl-C.");
  openBrowser(farm.first_sign_in_url ?? farm.dashboard_url);
};

/** If no browser opens, the address is still printed above. */
const openBrowser = (url: string): void => {
  if (!hasDisplay(process.platform, process.env)) return;
  const { program, words } = browserCommand(process.platform, url);
  const child = spawn(program, words, { stdio: "ignore", detached: true, windowsVerbatimArguments: true });
  child.once("error", () => say(`No browser could be opened; the dashboard is at ${url}`));
  child.unref();
};

/** Stopping this program stops the child; no child outlives it. */
const passSignals = (child: ChildProcess): (() => boolean) => {
  let isAsked = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      isAsked = true;
      child.kill("SIGTERM");
    });
  }
  process.on("exit", () => child.kill("SIGKILL"));
  return () => isAsked;
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

process.exitCode = await main();
