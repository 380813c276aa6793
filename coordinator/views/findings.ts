import { type Finding, findingOf } from "../../shared/findings.ts";
import { stepResults } from "../../shared/results/result.ts";
import type { JobRow } from "../store/rows.ts";
import type { Farm } from "./farm.ts";

/** The maximum size of the results of one page. */
const mostCharacters = 4_000_000;

/** The findings of a job's analyses and checks, task by task, up to a maximum. */
export const findingsOf = async (farm: Farm, job: JobRow): Promise<Finding[]> => {
  const rows = await farm.store.jobs.findings(job.id, mostCharacters);
  return rows.flatMap(({ element_uid, task_id, name, results }) => {
    const read = stepResults.safeParse(JSON.parse(results));
    const found = read.success ? findingOf(read.data) : undefined;
    return found ? [{ element_uid, task_id: String(task_id), name, ...found }] : [];
  });
};
