import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { AppError } from "../../shared/basics/errors.ts";
import { makeAlike, pathsIn } from "./alike.ts";
import { root } from "./bundle.ts";
import { componentsIn } from "./components.ts";
import { control } from "./debian/control.ts";
import { sbomOf } from "./sbom.ts";
import { addNode, makeTree } from "./tree.ts";

const here = import.meta.dirname;
const launcher = '#!/bin/sh\nexec /usr/lib/mediafarm/bin/node /usr/lib/mediafarm/server/dist/mediafarm.js "$@"\n';
const units = ["mediafarm-coordinator.service", "mediafarm-agent.service"];
const settings = ["coordinator.env", "agent.env"];
const scripts = ["postinst", "prerm", "postrm"];

/**
 * Makes `mediafarm_VERSION_amd64.deb` in `outDir` and returns its path. The same sources give the same bytes: every file
 * has the time `seconds` (Unix time), an owner of number 0 and a mode that does not depend on the builder's.
 */
export const makeDeb = async (outDir: string, seconds: number): Promise<string> => {
  const image = join(outDir, "deb");
  rmSync(image, { recursive: true, force: true });
  const library = join(image, "usr/lib/mediafarm");
  mkdirSync(library, { recursive: true });
  await makeTree(library);
  addNode(library);
  addSystemFiles(image);
  const sbom = sbomOf(packageJson.version, componentsIn(library), seconds);
  write(join(image, "usr/share/doc/mediafarm"), "sbom.cdx.json", `${JSON.stringify(sbom, null, 2)}\n`);
  addControl(image);
  makeAlike(image, isProgram, seconds);
  // They may hold a join token, a password of a database, a key.
  for (const name of settings) chmodSync(join(image, "etc/mediafarm", name), 0o640);
  const file = join(outDir, `mediafarm_${packageJson.version}_amd64.deb`);
  pack(image, file, seconds);
  return file;
};

const addSystemFiles = (image: string): void => {
  write(join(image, "usr/bin"), "mediafarm", launcher);
  for (const unit of units) place(join(here, "systemd", unit), join(image, "usr/lib/systemd/system"), unit);
  for (const name of settings) place(join(here, "config", name), join(image, "etc/mediafarm"), name);
  const docs = join(image, "usr/share/doc/mediafarm");
  place(join(here, "debian/README.md"), docs, "README.md");
  place(join(root, "LICENSE"), docs, "copyright");
  for (const folder of ["examples", "monitoring"])
    cpSync(join(root, "docs", folder), join(docs, folder), { recursive: true });
};

const addControl = (image: string): void => {
  const folder = join(image, "DEBIAN");
  for (const script of scripts) place(join(here, "debian", script), folder, script);
  write(folder, "conffiles", settings.map((name) => `/etc/mediafarm/${name}\n`).join(""));
  write(folder, "control", control(packageJson.version, Math.ceil(sizeOf(image) / 1024)));
};

const place = (from: string, folder: string, name: string): void => {
  mkdirSync(folder, { recursive: true });
  cpSync(from, join(folder, name));
};

const write = (folder: string, name: string, text: string): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
};

const sizeOf = (folder: string): number =>
  pathsIn(folder).reduce((sum, path) => sum + (statSync(path).isFile() ? statSync(path).size : 0), 0);

const isProgram = (path: string): boolean =>
  /\/usr\/bin\/|\/lib\/mediafarm\/bin\/|\/packager-linux-x64$|\/DEBIAN\/(?:postinst|prerm|postrm)$/.test(path);

const pack = (image: string, file: string, seconds: number): void => {
  const words = ["--root-owner-group", "-Zxz", "-z1", "--build", image, file];
  const { status, stderr, error } = spawnSync("dpkg-deb", words, {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) },
    encoding: "utf8",
  });
  if (status !== 0) throw new AppError("UNAVAILABLE", `dpkg-deb could not make ${file}: ${error?.message ?? stderr}`);
};
