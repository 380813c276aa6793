import { cpSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, type InlineConfig } from "vite";

/**
 * `npm run build:app`: the main process, the preload script and the services as JavaScript in `electron/dist`. It bundles
 * our code and the libraries; native code (better-sqlite3) and Electron itself stay outside.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const usualFolder = fileURLToPath(new URL("dist", import.meta.url));

/** Optional packages that libraries use if they are installed. */
const absent = ["bufferutil", "utf-8-validate", "pino-pretty", "osx-temperature-sensor", "cpu-features"];
/** Native code that ssh2 tries to load and works without. */
const nativeHalf = /sshcrypto\.node$/;
/** Loads its engine from a file beside its own code. */
const engine = ["quickjs-emscripten"];
const external = ["electron", "better-sqlite3", ...engine, ...absent];

const programs = {
  main: "electron/main.ts",
  "coordinator-process": "electron/coordinator-process.ts",
  "agent-process": "electron/agent-process.ts",
  // Threads are started by file name, so the names stay as in the sources.
  "reader-worker": "coordinator/store/sqlite/reader-worker.ts",
  "openapi-worker": "coordinator/routes/openapi-worker.ts",
  "javascript-worker": "agent/javascript/javascript-worker.ts",
};

const shared = (outDir: string, input: Record<string, string>, output: object): InlineConfig => ({
  root,
  configFile: false,
  logLevel: "warn",
  // In a bundle every module would take itself for the program's entry point.
  define: { "import.meta.main": "false" },
  ssr: { noExternal: true, external, target: "node" },
  build: {
    ssr: true,
    outDir,
    emptyOutDir: false,
    // Licence texts that bundled libraries require us to include; the preload script bundles none.
    license: "main" in input && { fileName: "LICENSES.md" },
    target: "node24",
    minify: false,
    rolldownOptions: { input, external: [...external, nativeHalf], output },
  },
});

export const buildApp = async (outDir = usualFolder): Promise<void> => {
  rmSync(outDir, { recursive: true, force: true });
  // One folder without subfolders, so that code that looks for files by import.meta.url finds them.
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
