import type { RouteName } from "../../shared/api.ts";
import type { JobSubstatus } from "../../shared/state/job.ts";

type Answer = Readonly<Record<string, unknown>>;

/** A change of an answer: clients that comply with the API up to an earlier day get what `before` makes of it. */
export type DatedChange = {
  /** The first day, YYYYMMDD, of those who know the new shape. */
  readonly since: string;
  readonly what: string;
  readonly before: Readonly<Partial<Record<RouteName, (answer: Answer) => Answer>>>;
};

/** Substatuses of jobs that somebody keeps from starting, which came when jobs could be paused. */
const holds: readonly unknown[] = ["paused", "scheduled"] satisfies JobSubstatus[];

const withoutHold = (job: Answer): Answer =>
  holds.includes(job.substatus) ? { ...job, substatus: "waiting" satisfies JobSubstatus } : job;

/**
 * Every change that clients could trip over, the newest first. Answers are made in the newest shape alone. A field that is
 * added is no such change: clients leave what they do not know.
 */
export const datedChanges: readonly DatedChange[] = [
  {
    // The clients of this API family that are known comply with days of 2016 to 2021.
    since: "20220101",
    what: "`substatus` may be `paused` or `scheduled`. Clients from before, whose lists of values end earlier, read `waiting`.",
    before: {
      getJobInfo: withoutHold,
      // What these two answer holds jobs.
      listJobs: ({ items, ...answer }) => ({ ...answer, items: (items as Answer[]).map(withoutHold) }),
      getResult: ({ job, ...answer }) => ({ ...answer, job: withoutHold(job as Answer) }),
    },
  },
];

/** An answer as it was on the day up to which the client complies. */
export const answerAsOf = (
  day: string,
  route: RouteName,
  answer: Answer,
  changes: readonly DatedChange[] = datedChanges,
): Answer =>
  changes.filter(({ since }) => day < since).reduce((shape, { before }) => before[route]?.(shape) ?? shape, answer);
