import { type DefinitionRow, type JobRow, type JobSchedule, noSchedule, waitingRun } from "../../store/rows.ts";
import { type JobValue, jobValueOf, noJob } from "../job-value.ts";
import type { Notes } from "./notes.ts";

/** How many warnings a job keeps. */
const maxWarnings = 200;

/** The approximate memory use of a job, as text and as parsed elements, for each character of its definition. */
const bytesOfCharacter = 4;

/** Changes of jobs. */
export const jobChanges = ({ values, undos, after: afterwards, put, nextId, weigh, known }: Notes) => {
  const { job } = values;
  const head = (id: number): JobRow | undefined => {
    const value = values.peekJob(id);
    return value ? value.row : known(values.heads, id, () => ({ heads: [id] }));
  };
  /** An ended job is removed without loading it: it may be very large. */
  const removable = (id: number): JobValue => {
    const row = values.peekJob(id) ? undefined : head(id);
    if (!row || row.end_time === null) return job(id);
    const value = jobValueOf(id, { ...noJob, row });
    values.addJob(value);
    undos.push(() => values.forgetJob(id));
    return value;
  };
  const setJob = (id: number, changed: Partial<JobRow>): void => {
    const value = job(id);
    const before = value.row;
    if (!before || isSame(before, changed)) return;
    put({ table: "jobs", key: [id], before, after: { ...before, ...changed }, job: id }, (row) => {
      value.row = row;
    });
  };

  return {
    job,
    /** The job's row, without loading the rest of the job. */
    head,
    setJob,
    insertJob: (row: Omit<JobRow, "id">, definition: DefinitionRow): number => {
      const id = nextId("jobs");
      const after = { id, ...row };
      const bytes = bytesOfCharacter * definition.definition.length;
      const make = (): JobValue => {
        const runs = definition.elements.map((spec) => waitingRun(spec));
        return jobValueOf(id, { ...noJob, ...definition, row: after, runs });
      };
      values.addSubmitted(id, { bytes, make });
      afterwards(() => values.storedSubmitted(id));
      weigh(bytes);
      undos.push(() => values.forgetJob(id));
      put({ table: "jobs", key: [id], before: undefined, after, job: id }, () => undefined);
      put({ table: "definitions", key: [id], before: undefined, after: definition, job: id }, () => undefined);
      return id;
    },
    /** Its tasks and runs go with it. */
    removeJob: (id: number): boolean => {
      if (!head(id)) return false;
      const value = removable(id);
      values.noteGone(id);
      put({ table: "jobs", key: [id], before: value.row, after: undefined, job: id }, (row) => {
        value.row = row;
      });
      return true;
    },
    /** Adds the new ones to the job's warnings. */
    warn: (id: number, warnings: readonly string[]): void => {
      const value = job(id);
      const before = value.warnings;
      const after = [...new Set([...before, ...warnings])].slice(0, maxWarnings);
      if (after.length === before.length) return;
      put({ table: "warnings", key: [id], before, after, job: id }, (row) => {
        value.warnings = row ?? before;
      });
    },
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

const isSame = (row: JobRow, changed: Partial<JobRow>): boolean =>
  Object.entries(changed).every(([column, value]) => row[column as keyof JobRow] === value); // a row's own columns
