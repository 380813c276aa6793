import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { messageOf } from "../../shared/basics/errors.ts";

type Environment = Readonly<Record<string, string | undefined>>;
export type Binary = { readonly path: string } | { readonly missing: string };

const probeMs = 5000;
const fetchMs = 180_000;

/** Electron's program if it is installed. Its package is not loaded for this, because loading it starts a download. */
export const findElectron = (env: Environment, folder = packageFolder()): Binary => {
  if (folder === undefined) return { missing: "Electron's package is not installed" };
  const file = join(folder, "path.txt");
  const name = existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
  if (env.ELECTRON_OVERRIDE_DIST_PATH) {
    const path = join(env.ELECTRON_OVERRIDE_DIST_PATH, name ?? executableName);
    return existsSync(path) ? { path } : { missing: `ELECTRON_OVERRIDE_DIST_PATH has no ${path}` };
  }
  const path = join(folder, "dist", name ?? executableName);
  return existsSync(path) ? { path } : { missing: "Electron's program has not been fetched" };
};

/** One short attempt to fetch it: it ends if the server does not answer at once, or if the download takes too long. */
export const fetchElectron = async (env: Environment, say: (words: string) => void): Promise<Binary> => {
  const folder = packageFolder();
  const found = findElectron(env, folder);
  if ("path" in found || folder === undefined || env.ELECTRON_OVERRIDE_DIST_PATH) return found;
  const from =
    env.ELECTRON_MIRROR ?? env.npm_config_electron_mirror ?? "https://github.com/electron/electron/releases/";
  try {
    await fetch(from, { method: "HEAD", signal: AbortSignal.timeout(probeMs) });
  } catch (problem) {
    const why = problem instanceof Error && problem.cause ? messageOf(problem.cause) : messageOf(problem);
    return { missing: `Electron's program is not here, and ${new URL(from).host} cannot be reached (${why})` };
  }
  say("Fetching Electron's program (about 110 MB, this once) …");
  const status = await runToEnd(process.execPath, [join(folder, "install.js")], fetchMs);
  if (status === 0) return findElectron(env, folder);
  return { missing: `Electron's program could not be fetched from ${new URL(from).host} in ${fetchMs / 1000} s` };
};

const executableName =
  { win32: "electron.exe", darwin: "Electron.app/Contents/MacOS/Electron" }[process.platform as string] ?? "electron";

const packageFolder = (): string | undefined => {
  try {
    return dirname(createRequire(import.meta.url).resolve("electron/package.json"));
  } catch {
    return undefined;
  }
};

const runToEnd = (program: string, words: readonly string[], patienceMs: number): Promise<number | null> =>
  new Promise((resolve) => {
    const child = spawn(program, words, { stdio: "ignore", timeout: patienceMs });
    child.once("error", () => resolve(null));
    child.once("exit", resolve);
  });
