import { AppError } from "../../shared/errors.ts";
import type { SubmissionName, SubmissionRow } from "../db/submissions.ts";
import type { Farm } from "./farm.ts";

/** How long a submission's name is remembered. */
export const submissionNameMs = 24 * 3_600_000;

type Once = {
  /** The job of an earlier submission of this name. Throws IDEMPOTENCY_KEY_REUSED where its body was another. */
  readonly known: () => number | undefined;
  /** Inside a commit: makes the job and notes its name, or gives what was made meanwhile. */
  readonly remember: (make: () => number) => number;
};

/** Makes one job of all submissions with one name. Without a name every submission makes its own. */
export const once = (farm: Farm, name: SubmissionName | undefined, body: string): Once => {
  if (!name) return { known: () => undefined, remember: (make) => make() };
  const { submissions } = farm.stores;
  const mark = farm.vault.mark(body);
  const oldest = () => farm.clock.steady() - submissionNameMs;
  return {
    known: () => jobOf(submissions.read(name, oldest()), name, mark),
    remember: (make) => {
      const earlier = jobOf(submissions.get(name, oldest()), name, mark);
      if (earlier !== undefined) return earlier;
      submissions.forget(oldest());
      const job_id = make();
      submissions.insert(name, { mark, job_id }, farm.clock.steady());
      return job_id;
    },
  };
};

const jobOf = (row: SubmissionRow | undefined, { key }: SubmissionName, mark: string): number | undefined => {
  if (!row || row.mark === mark) return row?.job_id;
  const message = `Idempotency-Key ${key} was used for another job (${row.job_id}): its body differs from this one`;
  throw new AppError("IDEMPOTENCY_KEY_REUSED", message, { details: [{ path: "headers.idempotency-key", message }] });
};
