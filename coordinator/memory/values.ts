import type { ComputeGroup, TagLimit } from "../../shared/compute-group.ts";
import { runKey } from "../../shared/instances/path.ts";
import type { Work } from "../../shared/work.ts";
import type {
  AttemptRow,
  Counters,
  ElementRunRow,
  FactsRow,
  JobRow,
  ListingRow,
  NodeRow,
  SubmissionName,
  SubmissionRow,
} from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { graphInSteps, type JobValue, jobValueOf, openPathsOf } from "./job-value.ts";
import { rowWeight, WeighedMap, weightOf } from "./weight.ts";

/** The values that a decision needs and memory lacks. */
export type Needs = {
  readonly jobs?: readonly number[];
  /** Rows of jobs alone. */
  readonly heads?: readonly number[];
  readonly attempts?: readonly number[];
  /** With all their batches. */
  readonly wholeJobs?: readonly number[];
  readonly gathered?: readonly { readonly job: number; readonly uid: string }[];
  readonly listings?: readonly { readonly task: number; readonly page: number }[];
  readonly works?: readonly number[];
  readonly facts?: readonly string[];
  readonly submissions?: readonly SubmissionName[];
};

/** Thrown inside a decision, which runs again once the needs are loaded. */
export class Missing extends Error {
  override readonly name = "Missing";
  readonly needs: Needs;
  constructor(needs: Needs) {
    super(`not in memory: ${JSON.stringify(needs)}`);
    this.needs = needs;
  }
}

export type Values = ReturnType<typeof createValues>;

/** Bytes: enough for everything that runs and ends at one time. Values unused for long are loaded again. */
const usual = { jobs: 192e6, works: 64e6, others: 16e6 };

/**
 * Open jobs and rows, as values. A decision reads and changes them; missing ones are loaded from the store. A value
 * with changes that are not durable yet is pinned, because the store has only its previous state.
 */
export const createValues = (most = usual) => {
  /** In the order of use, the most recently used last. */
  const jobs = new Map<number, JobValue>();
  const heads = new Map<number, JobRow | undefined>();
  const attempts = new Map<number, AttemptRow | undefined>();
  const works = new WeighedMap<number, Work | undefined>();
  const facts = new WeighedMap<string, FactsRow | undefined>();
  const listings = new WeighedMap<string, ListingRow | undefined>();
  const gathered = new WeighedMap<string, readonly ElementRunRow[] | undefined>();
  const submissions = new WeighedMap<string, SubmissionRow | undefined>();
  const pins = new Map<string, number>();
  /** Jobs that do not exist, or no longer. */
  const gone = new Set<number>();
  /** The approximate number of bytes of each job, without its ended batches. */
  const weights = new Map<number, number>();
  let [jobsWeight, forgotten, usedLast] = [0, 0, 0];

  const grow = (id: number, bytes: number): void => {
    weights.set(id, (weights.get(id) ?? 0) + bytes);
    jobsWeight += bytes;
  };
  const forgetJob = (id: number): void => {
    jobsWeight -= weights.get(id) ?? 0;
    weights.delete(id);
    jobs.delete(id);
  };
  const trimJobs = (): void => {
    for (const id of jobs.keys()) {
      if (jobsWeight <= most.jobs) return;
      if (!pins.has(pinOf("jobs", id))) forgetJob(id);
    }
  };
  const trimOldest = <K extends string | number>(kind: string, map: WeighedMap<K, unknown>, limit: number): void => {
    for (const key of map.keys()) {
      if (map.weight <= limit) return;
      if (!pins.has(pinOf(kind, key))) map.delete(key);
    }
  };

  return {
    counters: { jobs: 0, tasks: 0, attempts: 0, nodes: 0 } as { -readonly [N in keyof Counters]: number },
    /** All of them, revoked ones too. */
    nodes: new Map<number, NodeRow>(),
    groups: new Map<string, ComputeGroup>(),
    limits: new Map<string, TagLimit>(),
    /** Rows of jobs that are not in memory. */
    heads,
    attempts,
    works,
    facts,
    /** Pages of tasks' lists. */
    listings,
    /** Instances of an element as stored at some time; those in memory are newer. */
    gathered,
    submissions,
    /** Throws Missing if it was not loaded. */
    job: (id: number): JobValue => {
      const value = jobs.get(id);
      if (!value) throw new Missing({ jobs: [id] });
      if (id === usedLast) return value;
      usedLast = id;
      jobs.delete(id);
      jobs.set(id, value);
      return value;
    },
    peekJob: (id: number): JobValue | undefined => jobs.get(id),
    allJobs: (): Iterable<JobValue> => jobs.values(),
    addJob: (value: JobValue): void => {
      if (!value.row) gone.add(value.id);
      forgetJob(value.id);
      heads.delete(value.id);
      jobs.set(value.id, value);
      grow(value.id, rowWeight * (1 + value.tasks.size) + weightOf([...value.runs.values()]));
    },
    /** Something was added to the job. */
    grow,
    forgetJob,
    /** Instances of the job have left memory since they were gathered. */
    forgetGathered: (id: number): void => {
      forgotten += 1;
      for (const key of gathered.keys()) if (key.startsWith(gatheredKey(id, ""))) gathered.delete(key);
    },
    /** Keeps the result of `load`. Loads again if instances have left memory meanwhile, because it may lack them. */
    gather: async (id: number, uid: string, load: () => Promise<readonly ElementRunRow[]>): Promise<void> => {
      for (let before = -1; before !== forgotten; ) {
        before = forgotten;
        const rows = await load();
        if (before === forgotten) gathered.set(gatheredKey(id, uid), rows);
      }
    },
    noteGone: (id: number): void => {
      gone.add(id);
    },
    /** Forgets it until it is needed again, unless it has changes that are not durable yet. */
    letGo: (id: number): void => {
      if (!pins.has(pinOf("jobs", id))) forgetJob(id);
    },
    openAttempts: (): AttemptRow[] => [...attempts.values()].filter((each) => each?.ended === null) as AttemptRow[], // undefined has no end
    pin: (kind: string, key: string | number, by: 1 | -1): void => {
      const pin = pinOf(kind, key);
      const count = (pins.get(pin) ?? 0) + by;
      if (count > 0) pins.set(pin, count);
      else pins.delete(pin);
    },
    /** Forgets values unused for long, and ended attempts. Never within a decision. */
    trim: (): void => {
      for (const id of gone) {
        if (pins.has(pinOf("jobs", id))) continue;
        gone.delete(id);
        if (!jobs.get(id)?.row) forgetJob(id);
      }
      trimJobs();
      heads.clear();
      for (const [counter, attempt] of attempts) {
        if (attempt?.ended !== null && !pins.has(pinOf("attempts", counter))) attempts.delete(counter);
      }
      trimOldest("works", works, most.works);
      trimOldest("facts", facts, most.others);
      trimOldest("listings", listings, most.others);
      trimOldest("gathered", gathered, most.others);
      trimOldest("submissions", submissions, most.others);
    },
  };
};

const pinOf = (kind: string, key: string | number): string => `${kind} ${key}`;

export const submissionId = ({ who, key }: SubmissionName): string => `${who}\n${key}`;
export const listingKey = (task: number, page: number): string => `${task}\n${page}`;
export const gatheredKey = (job: number, uid: string): string => `${job}\n${uid}`;

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
