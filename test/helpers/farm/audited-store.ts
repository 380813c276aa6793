import { isDeepStrictEqual } from "node:util";
import type { Farm } from "../../../coordinator/farm.ts";
import { buildJobValue, type JobValue, openPathsOf } from "../../../coordinator/kernel/job-value.ts";
import type { ElementRunRow } from "../../../coordinator/store/rows.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import { frameAt } from "../../../media/instances/graph.ts";
import { runKey } from "../../../media/instances/path.ts";
import { stored } from "./stored.ts";

/** Says of every batch that was written which of its jobs fail a check: at once, before memory goes on. */
export const audited = (
  store: Store,
  holds: (jobId: number) => boolean,
  tell: (wrong: readonly number[]) => void,
): Store => ({
  ...store,
  write: async (batch) => {
    const done = store.write(batch);
    // SQLite has written, or refused, by now. While this waits for `done`, memory may already be ahead of it.
    const ids = new Set(batch.changes.flatMap(({ job }) => (job === undefined ? [] : [job])));
    const wrong = [...ids].filter((id) => !holds(id));
    await done;
    if (wrong.length > 0) tell(wrong);
  },
});

/** Decisions are made on the one, the other is the truth: after every batch they are the same. */
export const isAsStored = (farm: Farm, id: number): boolean => {
  const value = farm.values.peekJob(id);
  const disk = stored(farm);
  if (!areRowsAsStored(farm, id)) return false;
  if (!value?.row) return !value || disk.job(id) === undefined;
  const { row, runs, tasks, schedule } = value;
  const known = { row, runs: [...runs.values()].sort(byKey), tasks: [...tasks.values()] };
  const isKnown = (run: ElementRunRow): boolean => run.path === "" || runs.has(runKey(run));
  const truth = {
    row: disk.job(id),
    runs: [...disk.runs(id), ...disk.instances(id).filter(isKnown)].sort(byKey),
    tasks: disk.rows(id).filter((task) => tasks.has(task.id) || task.path === ""),
  };
  return isDeepStrictEqual(asJson(known), asJson(truth)) && schedule !== undefined;
};

/** The job's attempts in memory, and its row where that is there alone. Attempts of a job that is gone answer nobody's question. */
const areRowsAsStored = ({ values, config }: Farm, id: number): boolean => {
  const disk = stored({ config });
  const [row, head] = [disk.job(id), values.heads.get(id)];
  const attempts = row ? [...values.attempts.values()].filter((each) => each?.job_id === id) : [];
  const known = attempts.toSorted((a, b) => (a?.counter ?? 0) - (b?.counter ?? 0));
  const truth = known.length > 0 ? disk.attempts(known.map((each) => each?.counter ?? 0)) : [];
  return isDeepStrictEqual([head ?? null, known].map(asJson), [head ? row : null, truth].map(asJson));
};

/** The job as a start would load it. */
export const loaded = async ({ load }: Store, id: number): Promise<JobValue> => {
  const job = await load.job(id);
  const paths = job ? openPathsOf(buildJobValue(id, job).graph) : [];
  return buildJobValue(id, job, paths.length > 0 ? await load.instances(id, paths) : undefined);
};

/** What a restart must find; not the order of what waits, nor batches that were opened and have done nothing yet. */
export const inEssence = ({ graph, tally, runs, tasks, isWhole: _, ...value }: JobValue) => ({
  ...value,
  runs: [...runs.values()].filter((run) => run.path === "" || frameAt(graph, run)).sort(byKey),
  tasks: [...tasks.values()].filter(({ element_uid: uid, path }) => path === "" || frameAt(graph, { uid, path })),
  counted: [graph.begun, graph.instances, graph.root.left, tally.states.get("ready") ?? 0],
  share: [graph.done + tally.underway, graph.total].map((each) => each.toFixed(6)),
  ended: (["succeeded", "failed", "skipped", "planning", "running"] as const).map(
    (each) => graph.counts.get(each) ?? 0,
  ),
});

const byKey = (a: ElementRunRow, b: ElementRunRow): number => (runKey(a) < runKey(b) ? -1 : 1);

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
