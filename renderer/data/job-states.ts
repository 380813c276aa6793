import type { JobInfo } from "../../shared/job-info.ts";
import { jobStateName, type StateName } from "../../shared/state/labels.ts";

/** The states that a list of jobs is filtered by, and what each is called in the API. */
export const jobStates = {
  running: { statuses: ["active"], substatuses: ["running"] },
  retrying: { statuses: ["active"], substatuses: ["retrying"] },
  waiting: { statuses: ["active"], substatuses: ["waiting"] },
  queued: { statuses: ["queued"], substatuses: [] },
  failed: { statuses: ["failed"], substatuses: [null] },
  stopped: { statuses: ["failed"], substatuses: ["stopped"] },
  completed: { statuses: ["completed"], substatuses: [null] },
  handled: { statuses: ["completed"], substatuses: ["handled_errors"] },
} as const satisfies Partial<
  Record<StateName, { statuses: readonly JobInfo["status"][]; substatuses: readonly (string | null)[] }>
>;

export type JobStateFilter = keyof typeof jobStates;
export const jobStateFilters = Object.keys(jobStates) as JobStateFilter[]; // Object.keys forgets the literal names

/** Jobs stand in three groups, each a list of its own that grows as it is scrolled. */
export const jobGroups = {
  active: { title: "Active", statuses: ["active"] },
  queued: { title: "Queued", statuses: ["queued"] },
  ended: { title: "Ended", statuses: ["completed", "failed"] },
} as const satisfies Record<string, { title: string; statuses: readonly JobInfo["status"][] }>;
export type JobGroup = keyof typeof jobGroups;
export const jobGroupNames = Object.keys(jobGroups) as JobGroup[]; // Object.keys forgets the literal names

export type JobSelection = { readonly group: JobGroup; readonly state?: JobStateFilter; readonly text?: string };

/** What the coordinator is asked for. */
export const argumentsOf = ({ group, state, text }: JobSelection) => ({
  statuses: [...(state ? jobStates[state].statuses : jobGroups[group].statuses)],
  substatuses: state ? [...jobStates[state].substatuses] : [],
  text: text ?? "",
});

/** Whether a job belongs into a list: the same question, asked here for jobs that events bring. */
export const isSelected = (job: JobInfo, { group, state, text }: JobSelection): boolean => {
  const statuses: readonly string[] = jobGroups[group].statuses;
  if (!statuses.includes(job.status)) return false;
  if (state && jobStateName(job) !== state) return false;
  return matchesText(job, text ?? "");
};

/** The coordinator's search folds case for ASCII only; so does this. */
const matchesText = (job: JobInfo, text: string): boolean => {
  if (text === "") return true;
  const wanted = foldAscii(text);
  return job.id === text || [job.name, job.user_tag ?? ""].some((each) => foldAscii(each).includes(wanted));
};

const foldAscii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
