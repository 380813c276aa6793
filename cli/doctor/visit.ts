import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { AppError } from "../../shared/basics/errors.ts";
import type { Call } from "../command/command.ts";
import { dataFolderOf } from "../farms/chosen-farm.ts";
import { knownFarms } from "../farms/credentials.ts";
import type { Patient, RunningFarm } from "./area.ts";
import { writeBundle } from "./bundle.ts";
import { examine } from "./examine.ts";
import { buildReport, reportText } from "./report.ts";

/** Examines the farm of a call, prints the report, and writes the bundle. Resolves with the exit status. */
export const visit = async (call: Call, bundle: string | undefined): Promise<number> => {
  const { output, world } = call;
  const scratch = mkdtempSync(join(tmpdir(), "mediafarm-doctor-"));
  try {
    const patient = patientOf(call, scratch);
    const report = buildReport(await examine(patient), { now: world.clock.now(), version: patient.version });
    output.answer(report, reportText(report, output.paint));
    if (bundle !== undefined) {
      await writeBundle(bundle, report, patient);
      output.problem(`Wrote ${bundle}. Look through it before you send it.`);
    }
    return report.severity === "bad" ? 1 : 0;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

const patientOf = (call: Call, scratch: string): Patient => {
  const { env, clock } = call.world;
  const dataDir = dataFolderOf(call.values, env);
  return {
    dataDir,
    farm: runningFarm(call),
    lastUrl: knownFarms(env)?.farms[dataDir]?.base_url,
    version: packageJson.version,
    ...{ env, clock, scratch },
  };
};

const runningFarm = ({ machine }: Call): RunningFarm | undefined => {
  try {
    const { request, url, authority } = machine();
    return { ask: request, url, authority };
  } catch (problem) {
    if (problem instanceof AppError && problem.code === "UNAVAILABLE") return undefined;
    throw problem;
  }
};
