import { redactText } from "../../../shared/credentials/redact.ts";
import { type DefinitionRow, type JobRow, type JobSchedule, noSchedule, waitingRun } from "../../store/rows.ts";
import { buildJobValue, type JobValue, noJob } from "../job-value.ts";
import type { ChangeContext } from "./change-context.ts";

/** How many warnings a job keeps. */
const maxWarnings = 200;

/** The approximate memory use of a job, as text and as parsed elements, for each character of its definition. */
const bytesOfCharacter = 4;

/** Changes of jobs. */
export const jobChanges = (context: ChangeContext) => {
  const { values, put, job, expect } = context;
  const head = (id: number): JobRow | undefined => {
    expect({ heads: [id] });
    const value = values.peekJob(id);
    return value ? value.row : values.heads.get(id);
  };
  const setJob = (id: number, changed: Partial<JobRow>): void => {
    const value = job(id);
    const before = value.row;
    if (!before || hasValues(before, changed)) return;
    putJob(value, { ...before, ...changed });
  };
  const putJob = (value: JobValue, after: JobRow | undefined): void =>
    put({ table: "jobs", key: [value.id], before: value.row, after, job: value.id }, (row) => {
      value.row = row;
    });

  const setWarnings = (value: JobValue, wanted: readonly string[]): void => {
    const before = value.warnings;
    const after = [...new Set(wanted)].slice(0, maxWarnings);
    if (after.length === before.length && after.every((each, at) => each === before[at])) return;
    put({ table: "warnings", key: [value.id], before, after, job: value.id }, (row) => {
      value.warnings = row ?? before;
    });
  };

  return {
    job,
    /** The job's row, without loading the rest of the job. */
    head,
    setJob,
    insertJob: (row: Omit<JobRow, "id">, definition: DefinitionRow): number => insertJob(context, row, definition),
    /** Its tasks and runs go with it. */
    removeJob: (id: number): boolean => {
      const row = head(id);
      if (!row) return false;
      const value = row.end_time === null ? job(id) : endedJob(context, id, row);
      values.noteGone(id);
      putJob(value, undefined);
      return true;
    },
    /** Adds the new ones to the job's warnings. */
    warn: (id: number, warnings: readonly string[]): void =>
      setWarnings(job(id), [...job(id).warnings, ...warnings.map(redactText)]),
    /** These are all warnings of the job from now on. */
    setWarnings: (id: number, warnings: readonly string[]): void => setWarnings(job(id), warnings),
    setSchedule: (id: number, changed: Partial<JobSchedule>): void => {
      const value = job(id);
      const before = value.schedule;
      const after = { ...before, ...changed };
      const stored = before === noSchedule ? undefined : before;
      put({ table: "schedules", key: [id], before: stored, after, job: id }, (row) => {
        value.schedule = row ?? noSchedule;
      });
    },
  };
};

const insertJob = (
  { values, undo, after: afterwards, put, nextId, weigh }: ChangeContext,
  row: Omit<JobRow, "id">,
  definition: DefinitionRow,
): number => {
  const id = nextId("jobs");
  const after = { id, ...row };
  const bytes = bytesOfCharacter * definition.definition.length;
  const make = (): JobValue => {
    const runs = definition.elements.map((spec) => waitingRun(spec));
    return buildJobValue(id, { ...noJob, ...definition, row: after, runs });
  };
  values.addSubmitted(id, { bytes, make });
  afterwards(() => values.storedSubmitted(id));
  weigh(bytes);
  undo(() => values.forgetJob(id));
  put({ table: "jobs", key: [id], before: undefined, after, job: id }, () => undefined);
  put({ table: "definitions", key: [id], before: undefined, after: definition, job: id }, () => undefined);
  return id;
};

/** An ended job is removed without loading it: it may be very large. */
const endedJob = ({ values, undo, job }: ChangeContext, id: number, row: JobRow): JobValue => {
  if (values.peekJob(id)) return job(id);
  const value = buildJobValue(id, { ...noJob, row });
  values.addJob(value);
  undo(() => values.forgetJob(id));
  return value;
};

/** Whether the row has these values already. */
export const hasValues = (row: JobRow, changed: Partial<JobRow>): boolean =>
  Object.entries(changed).every(([column, value]) => row[column as keyof JobRow] === value); // a row's own columns
