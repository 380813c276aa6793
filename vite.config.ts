import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { lingui } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { licencesFile } from "./cli/package/licences.ts";
import { docsSite } from "./docs/site/built.ts";
import { compileTexts } from "./vite.macros.ts";

/** Modules called `static-*.ts` are evaluated when the pages are built: browsers get their values, not what they import. */
const statics: Plugin = {
  name: "statics",
  enforce: "pre",
  load: async (id) => {
    if (!/\/static-[\w-]+\.ts$/.test(id)) return null;
    const values = Object.entries(await import(pathToFileURL(id).href));
    return values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join("\n");
  },
};

/** The editor of definitions is as large as half of all else; only who submits a job reads it. */
const editor = {
  name: "editing",
  test: /node_modules\/(@codemirror|@lezer|@marijn|style-mod|crelt|w3c-keyname)\/|\/submit\/json-paths\.ts$/,
  priority: 1,
};

/** The dashboard pages: built into renderer/dist, which the coordinator serves and Electron loads, with the docs beside them; or served by `npm run dev`. */
export default defineConfig({
  root: "renderer",
  base: "./",
  cacheDir: join(import.meta.dirname, ".build/vite"),
  plugins: [statics, compileTexts, lingui({ failOnCompileError: true }), react(), docsSite],
  // The pages import from shared/ and media/, beside their own folder.
  server: { fs: { allow: [import.meta.dirname] } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    license: { fileName: licencesFile },
    target: "chrome120",
    // Nothing is inlined: the pages' policy refuses data: scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Players of playlists are read when somebody plays one.
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // What several pages use is one file: a browser asks for few at a time.
      output: { codeSplitting: { groups: [editor, { name: "common", minShareCount: 3 }] } },
    },
  },
});
