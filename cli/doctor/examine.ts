import { messageOf } from "../../shared/basics/errors.ts";
import { orAborted } from "../../shared/basics/or-aborted.ts";
import type { Area, FarmArea, Patient, RunningFarm } from "./area.ts";
import { backups } from "./areas/backups.ts";
import { clocks } from "./areas/clocks.ts";
import { dataFolder } from "./areas/data-folder.ts";
import { farm } from "./areas/farm.ts";
import { mounts } from "./areas/mounts.ts";
import { nodes } from "./areas/nodes.ts";
import { program } from "./areas/program.ts";
import { tools } from "./areas/tools.ts";
import { bad, type Finding } from "./finding.ts";

/** In the order of the report. */
export const areas: readonly (Area | FarmArea)[] = [program, tools, dataFolder, clocks, farm, nodes, mounts, backups];

export type Examined = {
  readonly area: string;
  /** Undefined if only a running farm could tell, and none runs. */
  readonly findings: readonly Finding[] | undefined;
};

/** Looks at every area. One that fails or takes too long is a finding, and the others go on. */
export const examine = (patient: Patient, all: readonly (Area | FarmArea)[] = areas): Promise<Examined[]> =>
  Promise.all(all.map(async (area) => ({ area: area.name, findings: await findingsOf(area, patient) })));

const findingsOf = async (area: Area | FarmArea, patient: Patient): Promise<readonly Finding[] | undefined> => {
  const limit = new AbortController();
  const tooLong = new Error(`it took longer than ${area.limitMs / 1000} s`);
  const cancel = patient.clock.after(area.limitMs, () => limit.abort(tooLong));
  try {
    if ("look" in area) return await orAborted(area.look(patient, limit.signal), limit.signal);
    if (!hasFarm(patient)) return undefined;
    return await orAborted(area.ask(patient, limit.signal), limit.signal);
  } catch (problem) {
    const next = "Look again; if it stays so, report it with what --bundle writes.";
    return [bad("examination", `The ${area.name} could not be examined: ${messageOf(problem)}`, next)];
  } finally {
    cancel();
  }
};

const hasFarm = (patient: Patient): patient is Patient & { readonly farm: RunningFarm } => patient.farm !== undefined;
