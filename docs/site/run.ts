import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { buildSite } from "./built.ts";
import { root } from "./site.ts";

/** `npm run docs [FOLDER]`: the pages of `docs/` as a site that any web server serves, or that a browser opens from the disk. */
const folder = resolve(process.argv[2] ?? join(root, ".build/docs"));
const files = await buildSite();
if (process.argv[2] === undefined) rmSync(folder, { recursive: true, force: true });
for (const [address, content] of files) {
  const path = join(folder, address);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
console.log(`${files.size} files are in ${folder}; begin with ${join(folder, "index.html")}`);
