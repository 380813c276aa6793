import type { ComputeGroup, TagLimit } from "../../shared/model/compute-group.ts";
import type { Work } from "../../shared/work/work.ts";
import type {
  AttemptRow,
  Counters,
  ElementRunRow,
  FactsRow,
  JobRow,
  ListingRow,
  NodeRow,
  SubmissionRow,
} from "../store/rows.ts";
import { idIn, type MissingRows, type RowKey, rowKey } from "./cache-miss.ts";
import { createJobCache } from "./job-cache.ts";
import type { JobValue } from "./job-value.ts";
import { WeighedMap } from "./weight.ts";

export type Values = ReturnType<typeof createValues>;

/** Bytes that values take in memory, at most; what is in use stays beyond that. */
export type MostBytes = { readonly jobs: number; readonly works: number; readonly others: number };

/** Enough for everything that runs and ends at one time. Values unused for long are loaded again. */
const usual: MostBytes = { jobs: 192e6, works: 64e6, others: 16e6 };

/**
 * Open jobs and rows, as values. A decision reads and changes them; missing ones are loaded from the store. A value
 * with changes that are not durable yet is pinned, because the store has only its previous state.
 */
export const createValues = (most = usual) => {
  const heads = new Map<number, JobRow | undefined>();
  const rows = createRows();
  const pins = new Map<RowKey, number>();
  let forgotten = 0;
  const { trimJobs, ...jobs } = createJobCache(most.jobs, (id) => pins.has(id));

  const isThere = (table: keyof MissingRows, row: never): boolean => {
    if (table === "jobs") return jobs.peekJob(row) !== undefined;
    if (table === "heads") return jobs.peekJob(row) !== undefined || heads.has(row);
    if (table === "wholeJobs") return jobs.peekJob(row)?.isWhole === true;
    return (rows[table] as Map<string | number, unknown>).has(idIn[table](row)); // of the same table
  };

  return {
    counters: { jobs: 0, tasks: 0, attempts: 0, nodes: 0 } as { -readonly [N in keyof Counters]: number },
    /** All of them, revoked ones too. */
    nodes: new Map<number, NodeRow>(),
    groups: new Map<string, ComputeGroup>(),
    limits: new Map<string, TagLimit>(),
    /** Rows of jobs that are not in memory. */
    heads,
    ...rows,
    ...jobs,
    addJob: (value: JobValue): void => {
      heads.delete(value.id);
      jobs.addJob(value);
    },
    /** Instances of the job have left memory since they were gathered. */
    forgetGathered: (id: number): void => {
      forgotten += 1;
      for (const key of rows.gathered.keys()) if (jobOf(key) === id) rows.gathered.delete(key);
    },
    isThere,
    /** Which of these rows are not in memory; undefined if all are. */
    lacking: (needs: MissingRows): MissingRows | undefined => rowsWithout(needs, isThere),
    /** Reads from the store; again if instances have left memory meanwhile, because the result may lack them. */
    readSteadily: async <T>(read: () => Promise<T>): Promise<T> => {
      for (;;) {
        const before = forgotten;
        const found = await read();
        if (before === forgotten) return found;
      }
    },
    openAttempts: (): AttemptRow[] =>
      [...rows.attempts.values()].flatMap((each) => (each?.ended === null ? [each] : [])),
    pin: (key: RowKey, by: 1 | -1): void => {
      const count = (pins.get(key) ?? 0) + by;
      if (count > 0) pins.set(key, count);
      else pins.delete(key);
    },
    /** Forgets values unused for long, and ended attempts, but not what a waiting decision needs. Never within one. */
    trim: (isAwaited: (key: RowKey) => boolean = () => false): void => {
      trimJobs(isAwaited);
      for (const id of heads.keys()) if (!isAwaited(id)) heads.delete(id);
      trimRows(rows, most, (key) => !pins.has(key) && !isAwaited(key));
    },
  };
};

const rowsWithout = (
  needs: MissingRows,
  isThere: (table: keyof MissingRows, row: never) => boolean,
): MissingRows | undefined => {
  const lacking = Object.entries(needs).flatMap(([table, some]) => {
    const found = some.filter((row) => !isThere(table as keyof MissingRows, row as never)); // a row of this table
    return found.length > 0 ? [[table, found]] : [];
  });
  return lacking.length > 0 ? Object.fromEntries(lacking) : undefined;
};

const createRows = () => ({
  attempts: new Map<number, AttemptRow | undefined>(),
  works: new WeighedMap<number, Work | undefined>(),
  facts: new WeighedMap<string, FactsRow | undefined>(),
  /** Pages of tasks' lists. */
  listings: new WeighedMap<string, ListingRow | undefined>(),
  submissions: new WeighedMap<string, SubmissionRow | undefined>(),
  /** Instances of an element as stored at some time; those in memory are newer. */
  gathered: new WeighedMap<string, readonly ElementRunRow[] | undefined>(),
});

const trimRows = (
  { attempts, ...others }: ReturnType<typeof createRows>,
  most: Pick<MostBytes, "works" | "others">,
  isUnused: (key: RowKey) => boolean,
): void => {
  for (const [counter, attempt] of attempts)
    if (attempt?.ended !== null && isUnused(rowKey("attempts", counter))) attempts.delete(counter);
  for (const [table, map] of Object.entries<WeighedMap<string | number, unknown>>(others))
    map.trim(table === "works" ? most.works : most.others, (id) =>
      isUnused(table === "gathered" ? jobOf(id) : rowKey(table, id)),
    );
};

/** The job of a row of `gathered`, in whose line a decision that needs it waits. */
const jobOf = (id: string | number): number => Number.parseInt(String(id), 10);
