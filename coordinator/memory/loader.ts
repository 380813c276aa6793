import { runKey } from "../../shared/instances/path.ts";
import type { Store } from "../store/store.ts";
import { graphInSteps, jobValueOf, openPathsOf } from "./job-value.ts";
import type { Needs } from "./missing.ts";
import { listingKey, submissionId, type Values } from "./values.ts";

/** Runs a piece of work in a turn of the event loop that has time for it. */
type InTurn = <T>(work: () => T) => Promise<T>;

/** Loads what decisions lack. Values that came into memory meanwhile stay: they may have changed since. */
export const createLoader =
  (load: Store["load"], values: Values, inTurn: InTurn = async (work) => work()) =>
  async (needs: Needs): Promise<void> => {
    const { jobs = [], heads = [], wholeJobs = [], attempts = [], works = [], facts = [], submissions = [] } = needs;
    const { gathered = [], listings = [] } = needs;
    const all = <K, Id, V>(map: Map<Id, V>, keys: readonly K[], idOf: (key: K) => Id, one: (key: K) => Promise<V>) =>
      keys.map(async (key) => {
        const found = await one(key);
        if (!map.has(idOf(key))) map.set(idOf(key), found);
      });
    const same = <K>(key: K): K => key;
    await Promise.all([
      ...jobs.map((id) => loadJob(load, values, inTurn, id)),
      ...wholeJobs.map((id) => loadWhole(load, values, id)),
      ...heads.map(async (id) => values.heads.set(id, await load.row(id))),
      ...all(values.attempts, attempts, same, load.attempt),
      ...all(values.works, works, same, load.work),
      ...all(values.facts, facts, same, load.facts),
      ...all(values.submissions, submissions, submissionId, load.submission),
      ...all(values.listings, listings, pageKey, ({ task, page }) => load.listing(task, page)),
      ...gathered.map(({ job, uid }) => values.gather(job, uid, () => load.runsOf(job, uid))),
    ]);
  };

const pageKey = ({ task, page }: { readonly task: number; readonly page: number }): string => listingKey(task, page);

/** Nothing else is decided meanwhile, so what was read stays true however many turns of the loop this takes. */
const loadJob = async (load: Store["load"], values: Values, inTurn: InTurn, id: number): Promise<void> => {
  const stored = await load.job(id);
  const graph = stored && (await lastOf(graphInSteps(stored), inTurn));
  const paths = graph ? openPathsOf(graph) : [];
  const batches = paths.length > 0 ? await load.instances(id, paths) : undefined;
  if (!values.peekJob(id)) values.addJob(jobValueOf(id, stored, batches, graph));
};

const lastOf = async <T>(steps: Generator<undefined, T>, inTurn: InTurn): Promise<T> => {
  let step = await inTurn(() => steps.next());
  while (!step.done) step = await inTurn(() => steps.next());
  return step.value;
};

/** Adds the instances of ended batches. */
const loadWhole = async (load: Store["load"], values: Values, id: number): Promise<void> => {
  const stored = await load.job(id);
  const paths = [...new Set(stored?.moves.map(({ path }) => path))];
  const { runs, tasks } = await load.instances(id, paths);
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
