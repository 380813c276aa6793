import type { Client } from "../shared/client.ts";
import { limits } from "../shared/job.ts";
import type { JobAction } from "../shared/job-actions.ts";
import { type JobFilter, type JobInfo, type JobInfoField, jobInfoFields } from "../shared/job-info.ts";
import { jobStatuses } from "../shared/state/job.ts";
import { choiceOf, type Flags, textsOf, UsageError, type Values } from "./command.ts";

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
} as const satisfies Flags;

export const filtersOf = (values: Values): JobFilter[] => {
  const status = textsOf(values, "status").map((each) => choiceOf("status", each, jobStatuses));
  const name = textsOf(values, "name");
  return [
    ...(status.length > 0 ? [{ field: "status" as const, values: status }] : []),
    ...(name.length > 0 ? [{ field: "name" as const, values: name }] : []),
  ];
};

/** Reads page by page, newest first, because the API limits the page size. */
export const listJobs = async (client: Client, filters: JobFilter[], take: number): Promise<JobInfo[]> => {
  const found: JobInfo[] = [];
  while (found.length < take) {
    const page = Math.min(limits.take, take - found.length);
    const query = { filters, order: "desc", sort_field: "id", skip: found.length, take: page } as const;
    const { items } = await client.listJobs({ ...query, fields: [...jobInfoFields] });
    found.push(...(items as JobInfo[])); // all fields were asked for
    if (items.length < page) break;
  }
  return found;
};

/** One bulk request takes this many jobs. */
const mostJobs = 10_000;

/** The jobs that a command names: by their IDs, or by what selects them. Wrong usage is told before a farm is sought. */
export const chosenJobs = async (
  open: () => Client,
  ids: readonly string[],
  values: Values,
): Promise<{ readonly client: Client; readonly ids: string[] }> => {
  const filters = filtersOf(values);
  if (ids.length > 0 && filters.length > 0) throw new UsageError("name jobs by ID or select them by flags, not both");
  if (ids.length === 0 && filters.length === 0)
    throw new UsageError("name at least one job's ID, or select jobs with --status or --name");
  const client = open();
  if (ids.length > 0) return { client, ids: [...new Set(ids)] };
  return { client, ids: (await listJobs(client, filters, mostJobs)).map(({ id }) => id) };
};

type Changed = { readonly id: string; readonly problem: string | undefined } & Partial<
  Pick<JobInfo, "status" | "substatus">
>;

const stateFields: readonly JobInfoField[] = ["id", "status", "substatus"];

/** Performs one action on all of these jobs, and reads what became of them. */
export const changeJobs = async (client: Client, action: JobAction, ids: readonly string[]): Promise<Changed[]> => {
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
