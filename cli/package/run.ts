import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bundle.ts";
import { makeDeb } from "./deb.ts";
import { makeNpmPackage } from "./npm.ts";

/** `npm run package:server`: the Debian package and the one for npm, in `.build/package`. */
const outDir = join(root, ".build/package");

/** The time of the last commit, so that the same sources give the same package. */
const sourceTime = (): number => {
  const { stdout } = spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" });
  return Number(process.env.SOURCE_DATE_EPOCH ?? stdout.trim()) || 0;
};

mkdirSync(outDir, { recursive: true });
for (const file of [await makeDeb(outDir, sourceTime()), await makeNpmPackage(outDir)]) {
  const bytes = readFileSync(file);
  const sum = createHash("sha256").update(bytes).digest("hex");
  console.log(`${file}  ${(bytes.length / 1e6).toFixed(1)} MB  sha256 ${sum}`);
}
