import { findingOf } from "../../media/reports/findings.ts";
import type { Finding } from "../../shared/api/findings.ts";
import { stepResults } from "../../shared/model/step-result.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { JobRow } from "../store/rows.ts";

/** The maximum size of the results of one page. */
const mostCharacters = 4_000_000;

/** The findings of a job's analyses and checks, task by task, up to a maximum. */
export const listFindings = async (farm: Pick<Kernel, "store">, job: JobRow): Promise<Finding[]> => {
  const rows = await farm.store.jobs.findings(job.id, mostCharacters);
  return rows.flatMap(({ element_uid, task_id, name, results }) => {
    const read = stepResults.safeParse(results);
    const found = read.success ? findingOf(read.data) : undefined;
    return found ? [{ element_uid, task_id: String(task_id), name, ...found }] : [];
  });
};
