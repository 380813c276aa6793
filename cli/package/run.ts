import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bundle.ts";
import { makeClients } from "./clients/make.ts";
import { makeDeb } from "./deb.ts";
import { makeNpmPackage } from "./npm.ts";
import { hashOf, writeSums } from "./sums.ts";

/**
 * `npm run package:server`: the Debian package, the one for npm and the clients, with their sums, and what an image is built
 * of, in `.build/package`.
 */
const outDir = join(root, ".build/package");

/** The time of the last commit, so that the same sources give the same package. */
const sourceTime = (): number => {
  const { stdout } = spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" });
  return Number(process.env.SOURCE_DATE_EPOCH ?? stdout.trim()) || 0;
};

mkdirSync(outDir, { recursive: true });
// The image takes the one package that is there.
for (const name of globSync("mediafarm*.{deb,tgz}", { cwd: outDir })) rmSync(join(outDir, name));
const seconds = sourceTime();
const files = [await makeDeb(outDir, seconds), await makeNpmPackage(outDir, seconds), ...makeClients(outDir)];
for (const file of files) console.log(`${file}  ${(statSync(file).size / 1e6).toFixed(1)} MB  sha256 ${hashOf(file)}`);
cpSync(join(import.meta.dirname, "image"), join(outDir, "image"), { recursive: true });
console.log(`${join(outDir, "image")}  builds an image of the Debian package: docs/install.md`);
const key = process.env.MEDIAFARM_SIGNING_KEY;
for (const file of writeSums(outDir, files, key)) console.log(file);
if (key === undefined) console.log("Not signed: MEDIAFARM_SIGNING_KEY would hold an Ed25519 key as PEM");
