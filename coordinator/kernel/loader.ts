import { runKey } from "../../media/instances/path.ts";
import type { Clock } from "../../shared/basics/clock.ts";
import type { Store } from "../store/store.ts";
import { idIn, type MissingRows, type RowOf } from "./cache-miss.ts";
import { buildJobValue, graphInSteps, openPathsOf } from "./job-value.ts";
import type { TimeSlice } from "./time-slice.ts";
import type { Values } from "./values.ts";

type LoaderNeeds = {
  readonly load: Store["load"];
  readonly values: Values;
  readonly clock: Pick<Clock, "after">;
  readonly timeSlice?: TimeSlice;
};

/**
 * Loads what decisions lack. Meanwhile nobody decides about these rows, and a row that was not in memory has no change
 * that the store lacks, so what was read stays true however many turns of the loop this takes. Values that came into
 * memory nevertheless stay: they may have changed since.
 */
export const createLoader = ({ load, values, clock, timeSlice = async (work) => work() }: LoaderNeeds) => {
  const inSlot = createSlots(mostLoads, clock);
  const read = {
    attempts: (counter: number) => load.row("attempts", counter),
    works: async (id: number) => (await load.row("works", id))?.work,
    facts: (uri: string) => load.row("facts", uri),
    submissions: ({ who, key }: RowOf<"submissions">) => load.row("submissions", who, key),
    listings: ({ task, page }: RowOf<"listings">) => load.row("listings", task, page),
    gathered: ({ job, uid }: RowOf<"gathered">) => values.readSteadily(() => load.runsOf(job, uid)),
  };
  const loadRow = async (table: keyof MissingRows, row: never): Promise<unknown> => {
    if (table === "jobs") return loadJob(load, values, timeSlice, row);
    if (table === "wholeJobs") return loadWhole(load, values, row);
    if (table === "heads") return values.heads.set(row, await load.row("jobs", row));
    const found = await read[table](row);
    const [map, id] = [values[table] as Map<string | number, unknown>, idIn[table](row)]; // of the same table
    return map.has(id) || map.set(id, found);
  };
  const loadAll = async (needs: MissingRows): Promise<void> => {
    const all = Object.entries(needs).flatMap(
      ([table, rows]) => rows.map((row) => loadRow(table as keyof MissingRows, row as never)), // a row of this table
    );
    await Promise.all(all);
  };
  return (needs: MissingRows): Promise<void> => inSlot(async () => await timeSlice(() => loadAll(needs)));
};

/** The number of decisions that rows are loaded for at one time; thousands of jobs at once would fill the memory. */
const mostLoads = 16;

/** After this time a load no longer counts: rows whose load hangs must not keep others from being loaded. */
const hungMs = 5000;

/** Runs so many pieces of work at one time; the others wait in order. */
const createSlots = (most: number, clock: Pick<Clock, "after">) => {
  const waiting: (() => void)[] = [];
  let free = most;
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    let isCounted = true;
    const end = (): void => {
      if (isCounted) leave();
      isCounted = false;
    };
    const cancel = clock.after(hungMs, end);
    try {
      return await work();
    } finally {
      cancel();
      end();
    }
  };
};

const loadJob = async (load: Store["load"], values: Values, timeSlice: TimeSlice, id: number): Promise<void> => {
  const stored = await load.job(id);
  const graph = stored && (await lastOf(graphInSteps(stored), timeSlice));
  const paths = graph ? openPathsOf(graph) : [];
  const batches = paths.length > 0 ? await load.instances(id, paths) : undefined;
  if (!values.peekJob(id)) values.addJob(buildJobValue(id, stored, batches, graph));
};

const lastOf = async <T>(steps: Generator<undefined, T>, timeSlice: TimeSlice): Promise<T> => {
  let step = await timeSlice(() => steps.next());
  while (!step.done) step = await timeSlice(() => steps.next());
  return step.value;
};

/** Adds the instances of ended batches. A job without batches is whole as it is. */
const loadWhole = async (load: Store["load"], values: Values, id: number): Promise<void> => {
  const known = values.peekJob(id);
  if (known?.graph.instances === 0) {
    known.isWhole = true;
    return;
  }
  const { runs, tasks } = await values.readSteadily(async () => {
    const stored = await load.job(id);
    return load.instances(id, [...new Set(stored?.moves.map(({ path }) => path))]);
  });
  const value = values.peekJob(id);
  if (!value) return;
  value.isWhole = true;
  for (const run of runs) if (!value.runs.has(runKey(run))) value.runs.set(runKey(run), run);
  const all = [...tasks.filter((task) => !value.tasks.has(task.id)), ...value.tasks.values()];
  for (const task of all.sort((a, b) => a.id - b.id)) {
    value.tasks.delete(task.id);
    value.tasks.set(task.id, task);
  }
};
