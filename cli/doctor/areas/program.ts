import { arch, availableParallelism, platform, release, totalmem } from "node:os";
import { versions } from "node:process";
import { sizeText } from "../../text/size.ts";
import type { Area, Patient } from "../area.ts";
import { bad, type Finding, ok, warn } from "../finding.ts";

const oldestNode = 24;

/** The versions of Mediafarm and Node.js, and the machine. */
export const program: Area = {
  name: "program",
  limitMs: 10_000,
  look: async (patient, signal) => [
    nodeFinding(versions.node),
    await versionFinding(patient, signal),
    ok(
      "machine",
      `${platform()} ${release()} on ${arch()}, ${availableParallelism()} cores, ${sizeText(totalmem())} of memory`,
    ),
  ],
};

export const nodeFinding = (version: string): Finding =>
  Number.parseInt(version, 10) >= oldestNode
    ? ok("Node.js", `Node.js ${version}`)
    : bad("Node.js", `Node.js ${version} is too old`, `Install Node.js ${oldestNode} or newer.`);

const versionFinding = async ({ version, farm }: Patient, signal: AbortSignal): Promise<Finding> => {
  if (!farm) return ok("Mediafarm", `Mediafarm ${version}`);
  const running = (await farm.ask("viewFarm", {}, { signal })).version;
  return running === version
    ? ok("Mediafarm", `Mediafarm ${version}, and the farm runs the same`)
    : warn(
        "Mediafarm",
        `This program is Mediafarm ${version}, the running farm is ${running}`,
        "Restart the farm, or use the program that it was started with.",
      );
};
