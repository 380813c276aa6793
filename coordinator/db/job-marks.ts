import { type JobStatus, jobStatuses } from "../../shared/state/job.ts";
import { compareKeys, type Direction, type SortKey } from "./job-order.ts";

export type StatusCounts = Record<JobStatus, number>;

/** How many jobs stand from this key up to the next mark's. */
export type Mark = { readonly key: SortKey; readonly counts: StatusCounts };

/** A place to read on from: `skip` jobs behind the key, and `take` of them. */
export type Stretch = { readonly key: SortKey | undefined; readonly skip: number; readonly take: number };

/** As few marks as keep a stretch short, as many as keep a walk over them short. */
export const markEvery = 500;

export const noCounts = (): StatusCounts => ({ queued: 0, active: 0, completed: 0, failed: 0 });

export type JobMarks = ReturnType<typeof createJobMarks>;

/**
 * Where every five hundredth job stands in a list that is sorted by one field, and how many of each status stand between, so
 * that a page in the middle of a million is found without walking there. Exact, as long as every change is noted.
 */
export const createJobMarks = (found: readonly Mark[], lastKey: SortKey | undefined) => {
  const marks: Mark[] = found.map(({ key, counts }) => ({ key, counts: { ...counts } }));
  let last = lastKey;

  /** The mark whose stretch holds the key; what stands before all marks belongs to the first. */
  const markOf = (key: SortKey): Mark | undefined => {
    let [low, high] = [0, marks.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const mark = marks[middle];
      if (mark && compareKeys(mark.key, key) <= 0) low = middle;
      else high = middle;
    }
    return marks[low];
  };

  /** New jobs often stand behind all others: marks grow along with them. */
  const markFor = (key: SortKey): Mark => {
    const isLast = last === undefined || compareKeys(last, key) < 0;
    if (isLast) last = key;
    const mark = isLast ? marks.at(-1) : markOf(key);
    if (mark && !(isLast && sizeOf(mark, jobStatuses) >= markEvery)) return mark;
    const added = { key, counts: noCounts() };
    marks.push(added);
    return added;
  };

  return {
    add: (key: SortKey, status: JobStatus): void => {
      markFor(key).counts[status] += 1;
    },
    remove: (key: SortKey, status: JobStatus): void => {
      const mark = markOf(key);
      if (mark) mark.counts[status] -= 1;
    },
    /** Whether some stretch became so long that new marks are worth their while. */
    isWorn: (): boolean => marks.some((mark) => sizeOf(mark, jobStatuses) > 4 * markEvery),
    stretches: (page: Page): Stretch[] => stretchesOf(marks, page),
  };
};

export type Page = {
  readonly direction: Direction;
  readonly statuses: readonly JobStatus[];
  readonly skip: number;
  readonly take: number;
};

const sizeOf = ({ counts }: Mark, statuses: readonly JobStatus[]): number =>
  statuses.reduce((sum, status) => sum + counts[status], 0);

/** One for each run of marks that hold jobs of the page, in its order; marks without one are not read. */
const stretchesOf = (marks: readonly Mark[], { direction, statuses, skip, take }: Page): Stretch[] => {
  const stretches: { key: SortKey | undefined; skip: number; take: number }[] = [];
  let [before, left] = [0, take];
  let isJoined = false;
  for (let step = 0; step < marks.length && left > 0; step += 1) {
    const at = direction === "asc" ? step : marks.length - 1 - step;
    const size = sizeOf(marks[at] as Mark, statuses); // `at` is within the list
    const inner = Math.max(0, skip - before);
    before += size;
    if (size === 0 || inner >= size) {
      isJoined = false;
      continue;
    }
    const taken = Math.min(left, size - inner);
    const previous = stretches.at(-1);
    if (isJoined && previous) previous.take += taken;
    else stretches.push({ key: edgeOf(marks, at, direction), skip: inner, take: taken });
    isJoined = true;
    left -= taken;
  }
  return stretches;
};

/** Upwards a stretch begins at its mark, downwards right below the next one; at either end of all, nowhere. */
const edgeOf = (marks: readonly Mark[], at: number, direction: Direction): SortKey | undefined =>
  direction === "asc" ? (at === 0 ? undefined : marks[at]?.key) : marks[at + 1]?.key;
