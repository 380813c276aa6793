import { type ElementRunEvent, elementRunMachine } from "../../../shared/state/element-run.ts";
import { next } from "../../../shared/state/machine.ts";
import {
  type DefinitionRow,
  type ElementRunRow,
  type JobRow,
  type JobSchedule,
  noSchedule,
  waitingRun,
} from "../../store/rows.ts";
import type { JobValue } from "../values.ts";
import { weightOf } from "../weight.ts";
import type { Notes } from "./notes.ts";

/** How many warnings a job keeps. */
const maxWarnings = 200;

/** Changes of jobs and of the runs of their elements. */
export const jobChanges = ({ values, undos, put, nextId, weigh }: Notes) => {
  const { job } = values;
  const setJob = (id: number, changed: Partial<JobRow>): void => {
    const value = job(id);
    const before = value.row;
    if (!before || isSame(before, changed)) return;
    put({ table: "jobs", key: [id], before, after: { ...before, ...changed }, job: id }, (row) => {
      value.row = row;
    });
  };
  const setRun = (jobId: number, uid: string, changed: Partial<ElementRunRow>): void => {
    const { runs } = job(jobId);
    const before = runs.get(uid);
    if (!before) return;
    const after = { ...before, ...changed };
    // A run that waits has no row yet.
    const change = {
      table: "runs",
      key: [jobId, uid],
      before: before.state === "waiting" ? undefined : before,
      after,
    } as const;
    if (changed.assets) weigh(weightOf(changed.assets), jobId);
    put({ ...change, job: jobId }, (row) => runs.set(uid, row ?? before));
  };

  return {
    job,
    setJob,
    insertJob: (row: Omit<JobRow, "id">, definition: DefinitionRow): number => {
      const id = nextId("jobs");
      const runs = new Map(definition.elements.map((spec) => [spec.uid, waitingRun(spec)]));
      const { connections, warnings } = definition;
      const rows = { row: undefined, schedule: noSchedule, runs, tasks: new Map() };
      const value: JobValue = { id, connections, warnings, ...rows };
      values.addJob(value);
      weigh(weightOf(definition));
      undos.push(() => values.forgetJob(id));
      put({ table: "jobs", key: [id], before: undefined, after: { id, ...row }, job: id }, (after) => {
        value.row = after;
      });
      put({ table: "definitions", key: [id], before: undefined, after: definition, job: id }, () => undefined);
      return id;
    },
    /** Its tasks and runs go with it. */
    removeJob: (id: number): boolean => {
      const value = job(id);
      if (!value.row) return false;
      values.noteGone(id);
      put({ table: "jobs", key: [id], before: value.row, after: undefined, job: id }, (row) => {
        value.row = row;
      });
      return true;
    },
    /** Adds to the warnings what is not there yet. */
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

    moveRun: (
      jobId: number,
      uid: string,
      event: ElementRunEvent,
      more: Partial<Pick<ElementRunRow, "assets" | "failure">> = {},
    ): boolean => {
      const run = job(jobId).runs.get(uid);
      const state = run && next(elementRunMachine, run.state, event);
      if (state === undefined) return false;
      setRun(jobId, uid, { state, ...more });
      return true;
    },
    setRun,
    /** The element waits as if nothing had been done for it. */
    resetRun: (jobId: number, uid: string): void => {
      const { runs } = job(jobId);
      const before = runs.get(uid);
      if (!before || before.state === "waiting") return;
      const change = { table: "runs", key: [jobId, uid], before, after: undefined, job: jobId } as const;
      put(change, (row) => runs.set(uid, row ?? waitingRun(before.spec)));
    },
  };
};

const isSame = (row: JobRow, changed: Partial<JobRow>): boolean =>
  Object.entries(changed).every(([column, value]) => row[column as keyof JobRow] === value); // a row's own columns
