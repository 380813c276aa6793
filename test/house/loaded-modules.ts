import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** What a program really loaded until it ended. */
export type Loaded = {
  readonly program: string;
  readonly modules: number;
  /** Of these, files of element kinds. */
  readonly ofElements: number;
};

/** Runs `help`, then a farm of one coordinator and one agent, and counts the modules of the tree that each process loaded. */
export const loadedModules = async (root: string): Promise<Loaded[]> => {
  const folder = mkdtempSync(join(tmpdir(), "loaded-"));
  try {
    await run(root, folder, ["help"]);
    await run(root, folder, ["up", "--json", "--port", "0", "--data", join(folder, "data"), "--root", folder]);
    return readdirSync(folder)
      .filter((name) => name.endsWith(".loaded"))
      .map((name) => loadedOf(root, readFileSync(join(folder, name), "utf8")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const run = async (root: string, folder: string, words: readonly string[]): Promise<void> => {
  const recorder = new URL("./record-loaded.ts", import.meta.url);
  const child = spawn(process.execPath, ["cli/main.ts", ...words], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: `--import=${recorder.href}`, LOADED_FOLDER: folder, XDG_CONFIG_HOME: folder },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise((done) => child.once("close", done));
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('"event":"ready"')) child.kill();
  await ended;
};

const loadedOf = (root: string, text: string): Loaded => {
  const [program = "", ...urls] = text.split("\n");
  const own = urls.filter((url) => url.includes(`${root}/`) && !url.includes("/node_modules/"));
  return {
    program: program.replaceAll(`${root}/`, ""),
    modules: own.length,
    ofElements: own.filter((url) => /\/(?:media|shared)\/elements\//.test(url)).length,
  };
};
