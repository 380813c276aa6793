import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build, type Plugin } from "vite";
import { makeSite, repository, root, unlisted } from "./site.ts";

const inter = "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";
const read = (...path: readonly string[]): Buffer => readFileSync(join(root, ...path));

/** The site with its look and its script, by address. Throws with every fault if a page or a link is not right. */
export const buildSite = async (farm?: string): Promise<ReadonlyMap<string, string | Buffer>> => {
  const { files, faults } = makeSite(repository, { farm });
  const all = [...faults, ...unlisted().map((file) => `${file} is not in docs/site/map.ts`)];
  if (all.length > 0) throw new Error(`The docs are not right:\n${all.join("\n")}`);
  return new Map([
    ...files,
    // The dashboard's own colours and type, so that both look alike.
    ["site/site.css", `${read("renderer/tokens.css")}\n${read("docs/site/site.css")}`],
    ["site/mark.svg", read("renderer/public/mark.svg")],
    ["site/inter.woff2", readFileSync(createRequire(import.meta.url).resolve(inter))],
    ["site/site.js", await script()],
  ]);
};

/** Adds the site to the pages that the farm serves, below `docs/`. */
export const docsSite: Plugin = {
  name: "docs",
  apply: "build",
  async generateBundle() {
    for (const [address, source] of await buildSite("../"))
      this.emitFile({ type: "asset", fileName: `docs/${address}`, source });
  },
};

/** One file without imports: browsers load no modules from a disk. */
const script = async (): Promise<string> => {
  const made = await build({
    root,
    configFile: false,
    logLevel: "warn",
    build: {
      write: false,
      target: "chrome120",
      lib: { entry: join(root, "docs/site/browser/page.ts"), formats: ["iife"], name: "docs" },
    },
  });
  const [chunk] = [made].flat().flatMap((each) => ("output" in each ? each.output : []));
  if (chunk?.type !== "chunk") throw new Error("The script of the docs was not built");
  return chunk.code;
};
