import type { RouteName } from "../../shared/api.ts";

type Answer = Readonly<Record<string, unknown>>;

/** A change of an answer: clients that comply with the API up to an earlier day get what `before` makes of it. */
export type DatedChange = {
  /** The first day, YYYYMMDD, of those who know the new shape. */
  readonly since: string;
  readonly route: RouteName;
  readonly what: string;
  readonly before: (answer: Answer) => Answer;
};

/** Every change that clients could trip over, the newest first. Answers are made in the newest shape alone. */
export const datedChanges: readonly DatedChange[] = [
  {
    since: "20261101",
    route: "getResult",
    what: "`job.substatus` came to the result. Clients from before read the job strictly, field by field.",
    before: ({ job, ...answer }) => {
      const { substatus: _new, ...known } = job as Answer; // the result's job is an object
      return { ...answer, job: known };
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
  changes
    .filter((change) => change.route === route && day < change.since)
    .reduce((shape, { before }) => before(shape), answer);
