import { cpSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, type InlineConfig } from "vite";

/**
 * `npm run build:app`: the main process, the preload script and the services as JavaScript in `electron/dist`. All of our
 * code and of the libraries' is inside; what is native (better-sqlite3) and Electron itself stay outside.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const usualFolder = fileURLToPath(new URL("dist", import.meta.url));

/** Wanted by libraries only where somebody installed them. */
const absent = ["bufferutil", "utf-8-validate", "pino-pretty", "osx-temperature-sensor", "cpu-features"];
/** Native halves that ssh2 tries and does without. */
const nativeHalf = /sshcrypto\.node$/;
/** Reads its engine from a file beside its own code. */
const engine = ["quickjs-emscripten"];
const external = ["electron", "better-sqlite3", ...engine, ...absent];

const programs = {
  main: "electron/main.ts",
  "coordinator-process": "electron/coordinator-process.ts",
  "agent-process": "electron/agent-process.ts",
  // Threads are started by their files' names, which stay what they are in the sources.
  "reader-worker": "coordinator/store/sqlite/reader-worker.ts",
  "openapi-worker": "coordinator/routes/openapi-worker.ts",
  "javascript-worker": "agent/javascript/javascript-worker.ts",
};

const shared = (outDir: string, input: Record<string, string>, output: object): InlineConfig => ({
  root,
  configFile: false,
  logLevel: "warn",
  // In a bundle every module would believe that it is the program's entry.
  define: { "import.meta.main": "false" },
  ssr: { noExternal: true, external, target: "node" },
  build: {
    ssr: true,
    outDir,
    emptyOutDir: false,
    // The texts that bundled libraries ask to be passed on; the preload script holds none.
    license: "main" in input && { fileName: "LICENSES.md" },
    target: "node24",
    minify: false,
    rolldownOptions: { input, external: [...external, nativeHalf], output },
  },
});

export const buildApp = async (outDir = usualFolder): Promise<void> => {
  rmSync(outDir, { recursive: true, force: true });
  // One folder without subfolders: what looks for its neighbours by import.meta.url finds them here.
  await build(
    shared(outDir, programs, { format: "es", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" }),
  );
  await build(
    shared(
      outDir,
      { preload: "electron/preload.ts" },
      { format: "cjs", entryFileNames: "[name].cjs", codeSplitting: false },
    ),
  );
  cpSync(`${root}/coordinator/store/sqlite/migrations`, `${outDir}/migrations`, { recursive: true });
};

if (import.meta.main) await buildApp();
