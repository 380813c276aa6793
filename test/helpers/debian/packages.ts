import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makeDeb } from "../../../cli/package/deb.ts";
import { run } from "./system.ts";

const root = join(import.meta.dirname, "../../..");
const made = 1_790_000_000;

/** The commit of the version before this one: MEDIAFARM_BEFORE, or what was on main before these changes. */
const commitBefore = (): string => {
  const isThere = (name: string) =>
    spawnSync("git", ["merge-base", "--is-ancestor", "HEAD", name], { cwd: root }).status === 1;
  return process.env.MEDIAFARM_BEFORE ?? ["main", "origin/main"].find(isThere) ?? "HEAD^";
};

/** What makes a package, and where it is. */
const makers = { deb: ["makeDeb", "deb.ts"], npm: ["makeNpmPackage", "npm.ts"] } as const;

/**
 * Makes a package of that commit, from its sources, with the libraries and the pages of this clone. MEDIAFARM_BEFORE may name
 * a package that is made already.
 */
export const makePackageBefore = (kind: keyof typeof makers, folder: string) => {
  const given = process.env.MEDIAFARM_BEFORE ?? "";
  if (existsSync(given)) return { commit: basename(given), file: given };
  const commit = run("git", "-C", root, "rev-parse", "--short", commitBefore()).trim();
  const sources = join(folder, "sources");
  mkdirSync(sources, { recursive: true });
  run("bash", "-c", `git -C "${root}" archive ${commit} | tar -x -C "${sources}"`);
  symlinkSync(join(root, "node_modules"), join(sources, "node_modules"));
  cpSync(join(root, "renderer/dist"), join(sources, "renderer/dist"), { recursive: true });
  const [name, file] = makers[kind];
  const make = `import { ${name} } from "./cli/package/${file}"; console.log(await ${name}(process.argv[1], ${made}));`;
  const words = ["--input-type=module", "--eval", make, join(folder, "package")];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: sources, encoding: "utf8" });
  if (status !== 0) throw new Error(`the package of ${commit} cannot be made: ${stderr}`);
  return { commit, file: stdout.trim() };
};

/**
 * Makes the Debian package of this version, under a number that is later than any that was made before: MEDIAFARM_DEB, if that
 * names one, or from the sources.
 */
export const makeLaterDeb = async (folder: string): Promise<string> => {
  const given = process.env.MEDIAFARM_DEB;
  return renumber(given && existsSync(given) ? given : await makeDeb(join(folder, "package"), made), folder, "later");
};

/** Makes the next version of a package, whose database differs by what the script does. */
export const makeNextDeb = (deb: string, folder: string, name: string, script: string): string =>
  renumber(deb, folder, name, (unpacked) =>
    writeFileSync(join(unpacked, "usr/lib/mediafarm/server/dist/migrations/9999_next.sql"), script),
  );

const renumber = (deb: string, folder: string, name: string, change = (_unpacked: string) => {}): string => {
  const unpacked = join(folder, name);
  run("dpkg-deb", "-R", deb, unpacked);
  change(unpacked);
  const control = join(unpacked, "DEBIAN/control");
  writeFileSync(control, readFileSync(control, "utf8").replace(/^Version: (.*)$/m, `Version: $1+${name}`));
  const file = join(folder, `mediafarm_${name}_amd64.deb`);
  run("dpkg-deb", "--root-owner-group", "-Znone", "-b", unpacked, file);
  return file;
};
