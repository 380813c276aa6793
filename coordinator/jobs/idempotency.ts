import { AppError } from "../../shared/basics/errors.ts";
import type { Transaction } from "../kernel/transaction.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { SubmissionName, SubmissionRow } from "../store/rows.ts";

type Parts = Pick<Secrets, "clock" | "store" | "values" | "vault">;

/** How long a submission's idempotency key is kept. */
export const submissionNameMs = 24 * 3_600_000;

type Once = {
  /** The job of an earlier submission with this key. Throws IDEMPOTENCY_KEY_REUSED if its body was different. */
  readonly known: () => Promise<number | undefined>;
  /** Within a decision: creates the job and records its key, or returns the job created meanwhile. */
  readonly remember: (draft: Transaction, make: () => number) => number;
};

/** Creates one job for all submissions with one key. Without a key, every submission creates its own. */
export const submitOnce = (farm: Parts, name: SubmissionName | undefined, body: string): Once => {
  if (!name) return { known: async () => undefined, remember: (_draft, make) => make() };
  const mark = farm.vault.mark(body);
  const current = (row: SubmissionRow | undefined) =>
    row && row.created > farm.clock.steady() - submissionNameMs ? row : undefined;
  return {
    known: async () => jobOf(current(await farm.store.load.row("submissions", name.who, name.key)), name, mark),
    remember: (draft, make) => {
      const earlier = jobOf(current(draft.submission(name)), name, mark);
      if (earlier !== undefined) return earlier;
      const job_id = make();
      draft.setSubmission(name, { mark, job_id, created: farm.clock.steady() });
      return job_id;
    },
  };
};

const jobOf = (row: SubmissionRow | undefined, { key }: SubmissionName, mark: string): number | undefined => {
  if (!row || row.mark === mark) return row?.job_id;
  const message = `Idempotency-Key ${key} was used for another job (${row.job_id}): its body differs from this one`;
  throw new AppError("IDEMPOTENCY_KEY_REUSED", message, { details: [{ path: "headers.idempotency-key", message }] });
};

/** Drops expired keys from memory. Those created until the returned time need not be stored any longer. */
export const dropOldKeys = ({ values, clock }: Pick<Parts, "values" | "clock">): number => {
  const until = clock.steady() - submissionNameMs;
  for (const [id, row] of values.submissions) if (row && row.created <= until) values.submissions.delete(id);
  return until;
};
