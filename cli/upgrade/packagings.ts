import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../shared/basics/errors.ts";
import type { Installation } from "./installation.ts";
import type { Perform } from "./perform.ts";

/** What is done with packages of one kind. */
export type Packaging = {
  /** How the names of its files end. */
  readonly ending: string;
  /** Puts the program of a package into an empty folder. Resolves with the words that start it there. */
  readonly unpack: (file: string, folder: string) => Promise<readonly string[]>;
  /** Makes a package of what is installed now, in an empty folder. Resolves with its file. */
  readonly keep: (folder: string) => Promise<string>;
  /** Installs a package, older or newer. */
  readonly install: (file: string) => Promise<void>;
};

/** How the packages of an installation are handled. */
export const packagingOf = (installation: Installation, perform: Perform): Packaging =>
  installation.kind === "deb" ? debian(perform) : npm(installation, perform);

const debian = (perform: Perform): Packaging => ({
  ending: ".deb",
  unpack: async (file, folder) => {
    await perform(["dpkg-deb", "--extract", file, folder]);
    const library = join(folder, "usr/lib/mediafarm");
    return [join(library, "bin/node"), join(library, "server/dist/mediafarm.js")];
  },
  keep: (folder) => repack(perform, folder),
  install: async (file) => {
    const words = ["--yes", "--allow-downgrades", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold"];
    await perform(["apt-get", "install", ...words, file], { env: { DEBIAN_FRONTEND: "noninteractive" } });
  },
});

const known = "/var/lib/dpkg/info/mediafarm";
const besideFiles = ["postinst", "prerm", "postrm", "conffiles"];

/** Debian keeps no package once it is installed, but everything that was in it. */
const repack = async (perform: Perform, folder: string): Promise<string> => {
  const image = join(folder, "image");
  mkdirSync(join(image, "DEBIAN"), { recursive: true });
  const [list, archive] = [join(folder, "files"), join(folder, "files.tar")];
  writeFileSync(list, await perform(["dpkg-query", "--listfiles", "mediafarm"]));
  // The list names every folder too, and on small systems files that were left out.
  const words = ["--no-recursion", "--ignore-failed-read", "--warning=no-failed-read", "--files-from", list];
  await perform(["tar", "--create", "--file", archive, "--directory", "/", ...words]);
  await perform(["tar", "--extract", "--preserve-permissions", "--file", archive, "--directory", image]);
  writeFileSync(join(image, "DEBIAN/control"), controlOf(await perform(["dpkg-query", "--status", "mediafarm"])));
  for (const name of besideFiles.filter((each) => existsSync(`${known}.${each}`)))
    cpSync(`${known}.${name}`, join(image, "DEBIAN", name));
  const file = join(folder, "mediafarm.deb");
  await perform(["dpkg-deb", "--root-owner-group", "-Zxz", "-z1", "--build", image, file]);
  for (const each of [image, list, archive]) rmSync(each, { recursive: true, force: true });
  return file;
};

/** Pure: what a package says of itself, without what the system says of it. */
export const controlOf = (status: string): string => {
  const fields = status.trimEnd().split(/\n(?! )/);
  return `${fields.filter((field) => !/^(?:Status|Conffiles|Config-Version):/.test(field)).join("\n")}\n`;
};

const quiet = ["--no-audit", "--no-fund", "--prefer-offline"];

const npm = ({ folder: installed, place }: Installation & { kind: "npm" }, perform: Perform): Packaging => ({
  ending: ".tgz",
  unpack: async (file, folder) => {
    await perform(["npm", "install", "--prefix", folder, ...quiet, file]);
    return [process.execPath, join(folder, "node_modules/mediafarm/launcher.mjs")];
  },
  keep: async (folder) => {
    await perform(["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", folder, installed]);
    const name = readdirSync(folder).find((each) => each.endsWith(".tgz"));
    if (name === undefined) throw new AppError("UNAVAILABLE", `npm made no package of ${installed}`);
    return join(folder, name);
  },
  install: async (file) => {
    await perform(["npm", "install", ...place, ...quiet, file]);
  },
});
