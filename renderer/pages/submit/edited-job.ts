import { isObject } from "../../../shared/basics/plain-object.ts";

/** What both the form and the JSON say; a change in one of them shows in the other. */
export type Common = { readonly priority: number; readonly start: Date | undefined };

/** The common fields of a job's JSON; those that it lacks, or has in another form, are left out. */
export const commonIn = (text: string): Partial<Common> => {
  const job = parsed(text);
  if (!isObject(job)) return {};
  const priority = Number(job.priority);
  const start = typeof job.start_after === "string" ? new Date(job.start_after) : undefined;
  const isTime = start === undefined || !Number.isNaN(start.getTime());
  return {
    ...(Number.isInteger(priority) && priority >= 1 && priority <= 254 && { priority }),
    ...(isTime && { start }),
  };
};

/** Whether the JSON says something that the form's job does not, apart from the common fields and spaces. */
export const isEdited = (text: string, job: Readonly<Record<string, unknown>>): boolean =>
  restOf(parsed(text)) !== restOf(job);

const restOf = (job: unknown): string | undefined => {
  if (!isObject(job)) return undefined;
  const { priority: _, start_after: __, ...rest } = job;
  return JSON.stringify(rest);
};

/** The edited job with the common fields of the form; undefined if it is no JSON object. */
export const withCommon = (text: string, { priority, start }: Common): Record<string, unknown> | undefined => {
  const job = parsed(text);
  if (!isObject(job)) return undefined;
  const { start_after: _, ...rest } = job;
  return { ...rest, priority, ...(start && { start_after: start.toISOString() }) };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
