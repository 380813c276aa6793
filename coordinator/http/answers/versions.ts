import type { RouteName } from "../../../shared/api/api.ts";
import type { JobSubstatus } from "../../../shared/state/job.ts";

type Answer = Readonly<Record<string, unknown>>;

/** A change of a response: clients that comply with an earlier day get the response that `before` returns. */
export type DatedChange = {
  /** The first day, YYYYMMDD, on which clients know the new format. */
  readonly since: string;
  readonly what: string;
  readonly before: Readonly<Partial<Record<RouteName, (answer: Answer) => Answer>>>;
};

/** Substatuses that were added when jobs could be paused. */
const holds: readonly unknown[] = ["paused", "scheduled"] satisfies JobSubstatus[];

const withoutHold = (job: Answer): Answer =>
  holds.includes(job.substatus) ? { ...job, substatus: "waiting" satisfies JobSubstatus } : job;

/**
 * All changes that could break clients, newest first. Handlers produce only the newest format. An added field is no
 * such change, because clients ignore unknown fields.
 */
export const datedChanges: readonly DatedChange[] = [
  {
    // Known clients of this API family comply with dates from 2016 to 2021.
    since: "20220101",
    what: "`substatus` may be `paused` or `scheduled`. Clients from before, whose lists of values end earlier, read `waiting`.",
    before: {
      getJobInfo: withoutHold,
      // The responses of these two routes contain jobs.
      listJobs: ({ items, ...answer }) => ({ ...answer, items: (items as Answer[]).map(withoutHold) }),
      getResult: ({ job, ...answer }) => ({ ...answer, job: withoutHold(job as Answer) }),
    },
  },
];

/** The response in the format of the day up to which the client complies. */
export const answerAsOf = (
  day: string,
  route: RouteName,
  answer: Answer,
  changes: readonly DatedChange[] = datedChanges,
): Answer =>
  changes.filter(({ since }) => day < since).reduce((shape, { before }) => before[route]?.(shape) ?? shape, answer);
