import type { ComputeGroup, TagLimit } from "../../shared/compute-group.ts";
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
import { createJobCache } from "./job-cache.ts";
import type { JobValue } from "./job-value.ts";
import { WeighedMap } from "./weight.ts";

export type Values = ReturnType<typeof createValues>;

/** Bytes: enough for everything that runs and ends at one time. Values unused for long are loaded again. */
const usual = { jobs: 192e6, works: 64e6, others: 16e6 };

/**
 * Open jobs and rows, as values. A decision reads and changes them; missing ones are loaded from the store. A value
 * with changes that are not durable yet is pinned, because the store has only its previous state.
 */
export const createValues = (most = usual) => {
  const heads = new Map<number, JobRow | undefined>();
  const attempts = new Map<number, AttemptRow | undefined>();
  const works = new WeighedMap<number, Work | undefined>();
  const facts = new WeighedMap<string, FactsRow | undefined>();
  const listings = new WeighedMap<string, ListingRow | undefined>();
  const gathered = new WeighedMap<string, readonly ElementRunRow[] | undefined>();
  const submissions = new WeighedMap<string, SubmissionRow | undefined>();
  const pins = new Map<string, number>();
  let forgotten = 0;

  const isPinned = (kind: string, key: string | number): boolean => pins.has(pinOf(kind, key));
  const { trimJobs, ...jobs } = createJobCache(most.jobs, (id) => isPinned("jobs", id));
  const trimOldest = <K extends string | number>(kind: string, map: WeighedMap<K, unknown>, limit: number): void => {
    for (const key of map.keys()) {
      if (map.weight <= limit) return;
      if (!isPinned(kind, key)) map.delete(key);
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
    ...jobs,
    addJob: (value: JobValue): void => {
      heads.delete(value.id);
      jobs.addJob(value);
    },
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
    openAttempts: (): AttemptRow[] => [...attempts.values()].filter((each) => each?.ended === null) as AttemptRow[], // undefined has no end
    pin: (kind: string, key: string | number, by: 1 | -1): void => {
      const pin = pinOf(kind, key);
      const count = (pins.get(pin) ?? 0) + by;
      if (count > 0) pins.set(pin, count);
      else pins.delete(pin);
    },
    /** Forgets values unused for long, and ended attempts. Never within a decision. */
    trim: (): void => {
      trimJobs();
      heads.clear();
      for (const [counter, attempt] of attempts) {
        if (attempt?.ended !== null && !isPinned("attempts", counter)) attempts.delete(counter);
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
