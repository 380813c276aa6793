import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type InlineConfig } from "vite";
import { bundledFiles } from "../../agent/tools/bundled.ts";
import { licencePage, licencesFile, readLicences } from "./licences.ts";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Optional packages that libraries use if they are installed. */
const absent = ["bufferutil", "utf-8-validate", "pino-pretty", "osx-temperature-sensor", "cpu-features"];
/** Native code that ssh2 tries to load and works without. */
const nativeHalf = /sshcrypto\.node$/;
/** Loads its engine from a file beside its own code. */
const engine = ["quickjs-emscripten"];
const external = ["electron", "better-sqlite3", ...engine, ...absent];

/** Threads are started by file name, so the names stay as in the sources. */
const threads = {
  "reader-worker": "coordinator/store/sqlite/reader-worker.ts",
  "backup-worker": "coordinator/backup/backup-worker.ts",
  "openapi-worker": "coordinator/routes/openapi-worker.ts",
  "message-worker": "coordinator/connections/message-worker.ts",
  "read-job-worker": "coordinator/jobs/read-job-worker.ts",
  "foreign-worker": "agent/foreign/foreign-worker.ts",
  "javascript-worker": "agent/javascript/javascript-worker.ts",
};

/** The packages that stay outside, with what they need to run. */
export const packagesOutside = [
  "better-sqlite3/package.json",
  "better-sqlite3/LICENSE",
  "better-sqlite3/lib",
  ...["quickjs-emscripten", "quickjs-emscripten-core"],
  ...["@jitl/quickjs-ffi-types", "@jitl/quickjs-wasmfile-release-sync"],
];

type Programs = Readonly<Record<string, string>>;

export const bundleConfig = (outDir: string, input: Programs, output: object, license?: string): InlineConfig => ({
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
    ...(license !== undefined && { license: { fileName: license } }),
    target: "node24",
    minify: false,
    rolldownOptions: { input: { ...input }, external: [...external, nativeHalf], output },
  },
});

/**
 * Makes the programs, by name, and every thread they start as JavaScript in `outDir`, which is emptied. It bundles our code
 * and the libraries; native code (better-sqlite3) stays outside. What is read beside the code lies beside it there too.
 */
export const bundle = async (outDir: string, programs: Programs): Promise<void> => {
  rmSync(outDir, { recursive: true, force: true });
  // One folder without subfolders, so that code that looks for files by import.meta.url finds them.
  const names = { format: "es", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" };
  await build(bundleConfig(outDir, { ...programs, ...threads }, names, licencesFile));
  // The licence texts that bundled libraries require us to include.
  writeFileSync(join(outDir, "LICENSES.md"), licencePage(readLicences(join(outDir, licencesFile))));
  cpSync(join(root, "coordinator/store/sqlite/migrations"), join(outDir, "migrations"), { recursive: true });
  for (const [name, path] of bundledFiles()) {
    mkdirSync(dirname(join(outDir, "bundled", name)), { recursive: true });
    cpSync(path, join(outDir, "bundled", name));
  }
};
