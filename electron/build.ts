import { fileURLToPath } from "node:url";
import { build } from "vite";
import { bundle, bundleConfig } from "../cli/package/bundle.ts";

/** `npm run build:app`: the main process, the preload script and the services as JavaScript in `electron/dist`. */
const usualFolder = fileURLToPath(new URL("dist", import.meta.url));

const programs = {
  main: "electron/main.ts",
  "coordinator-process": "electron/coordinator-process.ts",
  "agent-process": "electron/agent-process.ts",
};

export const buildApp = async (outDir = usualFolder): Promise<void> => {
  await bundle(outDir, programs);
  const output = { format: "cjs", entryFileNames: "[name].cjs", codeSplitting: false };
  await build(bundleConfig(outDir, { preload: "electron/preload.ts" }, output));
};

if (import.meta.main) await buildApp();
