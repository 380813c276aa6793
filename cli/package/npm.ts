import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { AppError } from "../../shared/basics/errors.ts";
import { makeAlike } from "./alike.ts";
import { root } from "./bundle.ts";
import { componentsIn, installed } from "./components.ts";
import { sbomOf } from "./sbom.ts";
import { addPrograms } from "./tree.ts";

const here = join(import.meta.dirname, "npm");
/** What the bundles leave outside; npm installs it in the form for the machine. */
const libraries = ["better-sqlite3", "quickjs-emscripten"];

/**
 * Makes `mediafarm-VERSION.tgz` in `outDir` and returns its path: bundles, pages, and a launcher. The same sources, made at
 * `seconds` (Unix time), give the same bytes, as npm gives every file one time.
 */
export const makeNpmPackage = async (outDir: string, seconds: number): Promise<string> => {
  const folder = join(outDir, "npm");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await addPrograms(folder);
  for (const file of ["launcher.mjs", "README.md"]) cpSync(join(here, file), join(folder, file));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  const sbom = sbomOf(packageJson.version, [...componentsIn(folder), ...libraries.map(installed)], seconds);
  writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(sbom, null, 2)}\n`);
  makeAlike(folder, (path) => path.endsWith("/launcher.mjs"));
  packNpm(folder, outDir);
  return join(outDir, `mediafarm-${packageJson.version}.tgz`);
};

const manifest = () => {
  const { name, version, description, license, type, engines, optionalDependencies } = packageJson;
  return {
    ...{ name, version, description, license, type, engines },
    bin: { mediafarm: "launcher.mjs" },
    dependencies: tested(libraries),
    optionalDependencies: tested(Object.keys(optionalDependencies)),
  };
};

/** The part of package-lock.json that is used. */
type Lock = { readonly packages: Readonly<Record<string, { readonly version: string }>> };

/** Exactly the versions that the tests ran with. */
const tested = (names: readonly string[]): Readonly<Record<string, string>> => {
  const { packages }: Lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const versionOf = (name: string): string => {
    const found = packages[`node_modules/${name}`];
    if (!found) throw new AppError("NOT_FOUND", `package-lock.json does not name ${name}`);
    return found.version;
  };
  return Object.fromEntries(names.map((name) => [name, versionOf(name)]));
};

/** Has npm pack a folder into `outDir`. */
export const packNpm = (folder: string, outDir: string): void => {
  const words = ["pack", "--silent", "--ignore-scripts", "--pack-destination", outDir];
  const { status, stderr, error } = spawnSync("npm", words, {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new AppError("UNAVAILABLE", `npm could not pack ${folder}: ${error?.message ?? stderr}`);
};
