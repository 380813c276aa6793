import { frameAt, type Instance, moveRun, type Notes, openNext } from "../../../shared/instances/graph.ts";
import { assign } from "../../../shared/instances/journal.ts";
import { runKey } from "../../../shared/instances/path.ts";
import { type ElementRunEvent, elementRunMachine } from "../../../shared/state/element-run.ts";
import { next } from "../../../shared/state/machine.ts";
import { type ElementRunRow, type ListingRow, waitingRun } from "../../store/rows.ts";
import { endedRuns, followShare, forgetFrame, forgetRun, type JobValue, moveOf, rederive } from "../job-value.ts";
import { Missing } from "../missing.ts";
import { gatheredKey, listingKey } from "../values.ts";
import { weightOf } from "../weight.ts";
import type { Notes as ChangeNotes } from "./notes.ts";

/** Changes of runs of elements, and of the graph that they move in. */
export const runChanges = ({ values, put, undo, after: afterwards, weigh, known }: ChangeNotes) => {
  /** The instance's current row; undefined if it is not in the job, or its batch is not open. */
  const run = ({ specs, runs, graph }: JobValue, { uid, path }: Instance): ElementRunRow | undefined => {
    const spec = specs.get(uid);
    const row = runs.get(runKey({ uid, path }));
    return row ?? (spec && frameAt(graph, { uid, path }) ? waitingRun(spec, path) : undefined);
  };
  const setRun = (jobId: number, instance: Instance, changed: Partial<ElementRunRow>): void => {
    const value = values.job(jobId);
    const before = run(value, instance);
    if (!before) return;
    putRun(value, before, { ...before, ...changed });
  };
  /** A run that waits has no row yet. */
  const putRun = ({ id, runs }: JobValue, before: ElementRunRow, after: ElementRunRow | undefined): void => {
    const { uid, path } = before;
    const stored = before.state === "waiting" ? undefined : before;
    if (after) weigh(weightOf(after.assets), id);
    put({ table: "runs", key: [id, uid, path], before: stored, after, job: id }, (row) => {
      if (row) runs.set(runKey(before), row);
      else if (path === "") runs.set(runKey(before), waitingRun(before.spec));
      else runs.delete(runKey(before));
    });
  };
  const notesFor = (value: JobValue): Notes => ({
    undo,
    closed: (frame) =>
      afterwards(() => {
        values.grow(value.id, -forgetFrame(value, frame));
        values.forgetGathered(value.id);
      }),
  });

  return {
    run: (jobId: number, instance: Instance): ElementRunRow | undefined => run(values.job(jobId), instance),
    setRun,
    /** Moves the run by its state machine, and updates the graph. */
    moveRun: (
      jobId: number,
      { uid, path }: Instance,
      event: ElementRunEvent,
      more: Partial<Pick<ElementRunRow, "assets" | "failure" | "batches">> = {},
    ): boolean => {
      const value = values.job(jobId);
      const before = run(value, { uid, path });
      const state = before && next(elementRunMachine, before.state, event);
      if (!before || state === undefined) return false;
      const after = { ...before, ...more, state };
      putRun(value, before, after);
      followShare(value, after, undo);
      moveRun(value.graph, { uid, path, ...moveOf(after) }, notesFor(value));
      return true;
    },
    /** Opens one more batch of an enumeration; false if there is none, or no room. */
    openBatch: (jobId: number): boolean => {
      const value = values.job(jobId);
      return openNext(value.graph, notesFor(value));
    },
    /** Resets the instance to waiting, as if it had never begun. */
    resetRun: (jobId: number, instance: Instance): void => {
      const value = values.job(jobId);
      const before = run(value, instance);
      if (before && before.state !== "waiting") putRun(value, before, undefined);
    },
    /** Loads the whole job, ended batches too, because it will run again. */
    wholeJob: (jobId: number): JobValue => {
      const value = values.job(jobId);
      if (!value.isWhole) throw new Missing({ wholeJobs: [jobId] });
      return value;
    },
    /** Updates graph and counts after changes past the state machines. Ended batches leave memory again. */
    rederive: (jobId: number): void => {
      const value = values.job(jobId);
      const { graph, tally } = rederive(value);
      assign(undo, value, "graph", graph);
      assign(undo, value, "tally", tally);
      const ended = endedRuns(value);
      afterwards(() => {
        value.isWhole = false;
        for (const each of ended) values.grow(value.id, -forgetRun(value, each));
      });
    },
    /** All begun instances of an element, in memory or in the store. */
    runsOf: (jobId: number, uid: string): ElementRunRow[] => {
      const { runs } = values.job(jobId);
      const stored = known(values.gathered, gatheredKey(jobId, uid), () => ({ gathered: [{ job: jobId, uid }] })) ?? [];
      const found = new Map(stored.map((row) => [row.path, row]));
      for (const row of runs.values()) if (row.uid === uid && row.state !== "waiting") found.set(row.path, row);
      return [...found.values()];
    },
    /** One page of a task's list. */
    listing: (task: number, page: number): ListingRow | undefined =>
      known(values.listings, listingKey(task, page), () => ({ listings: [{ task, page }] })),
  };
};
