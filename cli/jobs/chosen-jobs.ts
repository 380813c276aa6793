import type { Client } from "../../shared/api/client.ts";
import type { JobAction } from "../../shared/api/job-actions.ts";
import { limits } from "../../shared/model/job.ts";
import { type JobFilter, type JobInfo, type JobInfoField, jobInfoFields } from "../../shared/model/job-info.ts";
import { jobStatuses } from "../../shared/state/job.ts";
import type { Call } from "../command/command.ts";
import { type Flags, parseChoice, textsFlag, UsageError, type Values } from "../terminal/flags.ts";

/** Flags that select jobs. */
export const jobFilterFlags = {
  status: {
    type: "string",
    value: "STATUS",
    multiple: true,
    offers: jobStatuses,
    help: `Only jobs that are ${jobStatuses.join(", ")}.`,
  },
  name: { type: "string", value: "NAME", multiple: true, help: "Only jobs with exactly this name." },
  owner: { type: "string", value: "NAME", multiple: true, help: "Only jobs that this person or API user sent." },
} as const satisfies Flags;

export const readFilters = (values: Values): JobFilter[] => {
  const status = textsFlag(values, "status").map((each) => parseChoice("status", each, jobStatuses));
  const name = textsFlag(values, "name");
  const owner = textsFlag(values, "owner");
  return [
    ...(status.length > 0 ? [{ field: "status" as const, values: status }] : []),
    ...(name.length > 0 ? [{ field: "name" as const, values: name }] : []),
    ...(owner.length > 0 ? [{ field: "owner" as const, values: owner }] : []),
  ];
};

/** Reads page by page, newest first, because the API limits the page size. */
export const listJobs = async (client: Client, filters: JobFilter[], take: number): Promise<JobInfo[]> => {
  const found = new Map<string, JobInfo>();
  for (let skip = 0; found.size < take; ) {
    const page = Math.min(limits.take, take - found.size);
    const query = { filters, order: "desc", sort_field: "id", skip, take: page } as const;
    const { items } = await client.listJobs({ ...query, fields: [...jobInfoFields] });
    // New jobs move others to the next page. All fields were asked for.
    for (const job of items as JobInfo[]) found.set(job.id, job);
    skip += items.length;
    if (items.length < page) break;
  }
  return [...found.values()];
};

/** One bulk request takes this many jobs. */
const mostJobs = 10_000;

/** The jobs that a command names by ID or by flags. Throws UsageError before it connects to a farm. */
export const chosenJobs = async (
  open: () => Client,
  ids: readonly string[],
  values: Values,
): Promise<{ readonly client: Client; readonly ids: string[] }> => {
  const filters = readFilters(values);
  if (ids.length > 0 && filters.length > 0) throw new UsageError("name jobs by ID or select them by flags, not both");
  if (ids.length === 0 && filters.length === 0)
    throw new UsageError("name at least one job's ID, or select jobs with --status, --name or --owner");
  const client = open();
  if (ids.length > 0) return { client, ids: [...new Set(ids)] };
  return { client, ids: (await listJobs(client, filters, mostJobs)).map(({ id }) => id) };
};

type JobState = Pick<JobInfo, "id" | "status" | "substatus">;

/** Performs one action on the jobs that a command names, and prints the new state of each; `status` if it is gone. */
export const actOnJobs = async (
  { positionals, values, output, client: open }: Call,
  action: JobAction,
  status: JobInfo["status"],
  textOf: (job: JobState) => string,
): Promise<number> => {
  const { client, ids } = await chosenJobs(open, positionals, values);
  const changed = await changeJobs(client, action, ids);
  for (const { problem, ...job } of changed) {
    const told = { id: job.id, status: job.status ?? status, substatus: job.substatus ?? null };
    if (problem !== undefined) output.problem(problem);
    else output.answer(told, textOf(told));
  }
  if (changed.length === 0) output.problem("No job matches.");
  return changed.every(({ problem }) => problem === undefined) ? 0 : 1;
};

type Changed = { readonly id: string; readonly problem: string | undefined } & Partial<
  Pick<JobInfo, "status" | "substatus">
>;

const stateFields: readonly JobInfoField[] = ["id", "status", "substatus"];

/** Performs one action on all of these jobs, and reads their new states. */
const changeJobs = async (client: Client, action: JobAction, ids: readonly string[]): Promise<Changed[]> => {
  if (ids.length === 0) return [];
  const { items } = await client.changeJobs({ action, ids: [...ids] });
  const states = new Map<string, Partial<JobInfo>>();
  for (let at = 0; at < ids.length; at += limits.take) {
    const page = ids.slice(at, at + limits.take);
    const found = await client.listJobs({ ids: page, fields: [...stateFields], take: page.length });
    for (const job of found.items as Partial<JobInfo>[]) states.set(String(job.id), job); // as the fields asked
  }
  return items.map(({ id, success, message }) => ({
    id,
    problem: success ? undefined : (message ?? `Job ${id} was not changed`),
    ...states.get(id),
  }));
};
