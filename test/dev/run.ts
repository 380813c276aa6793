import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { createServer } from "vite";

/**
 * `npm run dev`: a farm with made-up data in a scratch folder, and Vite with hot reload in front of it. Ctrl-C ends all
 * processes and deletes the folder.
 */
const scratch = mkdtempSync(join(tmpdir(), "mediafarm-dev-"));
// A process group of its own: signals reach the farm's agent too, whatever the farm is doing.
const farm = spawn(process.execPath, [join(import.meta.dirname, "farm.ts")], {
  detached: true,
  stdio: ["pipe", "pipe", "inherit"],
  env: { ...process.env, TMPDIR: scratch, XDG_CONFIG_HOME: scratch },
});
const lines = createInterface({ input: farm.stdout });

const serve = async (farmUrl: string) => {
  const proxied = ["/ui/v1", "/v1", "/docs", "/healthz", "/readyz", "/metrics"];
  // The farm compares the page's origin with the host that was asked for: the host stays.
  const toFarm = { target: farmUrl, changeOrigin: false };
  const server = await createServer({
    configFile: join(import.meta.dirname, "../../vite.config.ts"),
    configLoader: "native",
    server: { host: "127.0.0.1", proxy: Object.fromEntries(proxied.map((path) => [path, toFarm])) },
  });
  await server.listen();
  return server;
};

const signalFarm = (signal: NodeJS.Signals | 0): boolean => {
  if (farm.pid === undefined) return false;
  try {
    return process.platform === "win32" ? farm.kill(signal) : process.kill(-farm.pid, signal);
  } catch {
    return false; // all of them have ended
  }
};

/** How long the agent may take to end its tools. */
const patienceMs = 10_000;

let isEnding = false;
const end = async (status: number): Promise<void> => {
  if (isEnding) return;
  isEnding = true;
  signalFarm("SIGTERM");
  for (const begun = performance.now(); signalFarm(0); await pause(50))
    if (performance.now() - begun > patienceMs) signalFarm("SIGKILL");
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  process.exit(status);
};
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(0));
farm.once("exit", () => void end(1));

/** Whatever cannot be served ends the farm too. */
const announce = async (line: string): Promise<void> => {
  const { url, firstSignInUrl } = JSON.parse(line); // farm.ts prints it
  const server = await serve(url);
  const own = server.resolvedUrls?.local[0] ?? "";
  console.log(`The pages, with hot reload: ${own}`);
  console.log(`Sign in with this link, once: ${firstSignInUrl.replace(url, own)}`);
  console.log("Computers and jobs appear during the next minute. Ctrl-C ends everything.");
  lines.once("line", () => console.log("The farm is complete. After a change of coordinator or agent, start again."));
};

lines.once("line", (line) =>
  announce(line).catch((problem) => {
    console.error(problem);
    void end(1);
  }),
);
