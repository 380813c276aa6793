import { frameAt, type MoveHooks, moveRun, openNext } from "../../../media/instances/graph.ts";
import type { Instance } from "../../../media/instances/graph-state.ts";
import { runKey } from "../../../media/instances/path.ts";
import { assign } from "../../../media/instances/undo-log.ts";
import { type ElementRunEvent, elementRunMachine } from "../../../shared/state/element-run.ts";
import { next } from "../../../shared/state/machine.ts";
import { type ElementRunRow, waitingRun } from "../../store/rows.ts";
import { idIn } from "../cache-miss.ts";
import { endedRuns, forgetFrame, forgetRun, type JobValue, rederive, toStoredMove, updateShare } from "../job-value.ts";
import { estimateBytes } from "../weight.ts";
import type { ChangeContext } from "./change-context.ts";

/** Changes of runs of elements. */
export const runChanges = (context: ChangeContext) => {
  const { values, put, undo, weigh, job, expect } = context;
  const setRun = (jobId: number, instance: Instance, changed: Partial<ElementRunRow>): void => {
    const value = job(jobId);
    const before = rowOf(value, instance);
    if (!before) return;
    putRun(value, before, { ...before, ...changed });
  };
  /** A run that waits has no row yet. */
  const putRun = ({ id, runs }: JobValue, before: ElementRunRow, after: ElementRunRow | undefined): void => {
    const { uid, path } = before;
    const stored = before.state === "waiting" ? undefined : before;
    if (after) weigh(estimateBytes(after.assets), id);
    put({ table: "runs", key: [id, uid, path], before: stored, after, job: id }, (row) => {
      if (row) runs.set(runKey(before), row);
      else if (path === "") runs.set(runKey(before), waitingRun(before.spec));
      else runs.delete(runKey(before));
    });
  };

  return {
    run: (jobId: number, instance: Instance): ElementRunRow | undefined => rowOf(job(jobId), instance),
    setRun,
    /** Moves the run by its state machine, and updates the graph. */
    moveRun: (
      jobId: number,
      { uid, path }: Instance,
      event: ElementRunEvent,
      more: Partial<Pick<ElementRunRow, "assets" | "failure" | "batches">> = {},
    ): boolean => {
      const value = job(jobId);
      const before = rowOf(value, { uid, path });
      const state = before && next(elementRunMachine, before.state, event);
      if (!before || state === undefined) return false;
      const after = { ...before, ...more, state };
      putRun(value, before, after);
      updateShare(value, after, undo);
      moveRun(value.graph, { uid, path, ...toStoredMove(after) }, moveHooks(context, value));
      return true;
    },
    /** Resets the instance to waiting, as if it had never begun. */
    resetRun: (jobId: number, instance: Instance): void => {
      const value = job(jobId);
      const before = rowOf(value, instance);
      if (before && before.state !== "waiting") putRun(value, before, undefined);
    },
    /** All begun instances of an element, in memory or in the store. */
    runsOf: (jobId: number, uid: string): ElementRunRow[] => {
      const { runs } = job(jobId);
      expect({ gathered: [{ job: jobId, uid }] });
      const stored = values.gathered.get(idIn.gathered({ job: jobId, uid })) ?? [];
      const found = new Map(stored.map((row) => [row.path, row]));
      for (const row of runs.values()) if (row.uid === uid && row.state !== "waiting") found.set(row.path, row);
      return [...found.values()];
    },
  };
};

/** The instance's current row; undefined if it is not in the job, or its batch is not open. */
const rowOf = ({ specs, runs, graph }: JobValue, { uid, path }: Instance): ElementRunRow | undefined => {
  const spec = specs.get(uid);
  const row = runs.get(runKey({ uid, path }));
  return row ?? (spec && frameAt(graph, { uid, path }) ? waitingRun(spec, path) : undefined);
};

/** Changes of the graph that runs move in. */
export const graphChanges = (context: ChangeContext) => {
  const { values, undo, after: afterwards, job, expect } = context;
  return {
    /** Opens one more batch of an enumeration; false if there is none, or no room. */
    openBatch: (jobId: number): boolean => {
      const value = job(jobId);
      return openNext(value.graph, moveHooks(context, value));
    },
    /** Loads the whole job, ended batches too, because it will run again. */
    wholeJob: (jobId: number): JobValue => {
      const value = job(jobId);
      expect({ wholeJobs: [jobId] });
      return value;
    },
    /** Updates graph and counts after changes past the state machines. Ended batches leave memory again. */
    rederive: (jobId: number): void => {
      const value = job(jobId);
      const { graph, tally } = rederive(value);
      assign(undo, value, "graph", graph);
      assign(undo, value, "tally", tally);
      const ended = endedRuns(value);
      afterwards(() => {
        value.isWhole = false;
        for (const each of ended) values.grow(value.id, -forgetRun(value, each));
      });
    },
  };
};

/** What a move in the job's graph records. */
const moveHooks = ({ values, undo, after: afterwards }: ChangeContext, value: JobValue): MoveHooks => ({
  undo,
  closed: (frame) =>
    afterwards(() => {
      values.grow(value.id, -forgetFrame(value, frame));
      values.forgetGathered(value.id);
    }),
});
