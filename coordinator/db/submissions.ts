import type { Db } from "./open.ts";

/** A name that a caller gave a submission. */
export type SubmissionName = { readonly who: string; readonly key: string };

export type SubmissionRow = { readonly mark: string; readonly job_id: number };

/** Which named submission made which job. */
export const createSubmissionStore = ({ writer, point }: Db) => {
  const byName = "SELECT mark, job_id FROM submissions WHERE who = ? AND key = ? AND created > ?";
  const current = writer.prepare<[string, string, number], SubmissionRow>(byName);
  const committed = point.prepare<[string, string, number], SubmissionRow>(byName);
  const insert = writer.prepare("INSERT INTO submissions (who, key, mark, job_id, created) VALUES (?, ?, ?, ?, ?)");
  const forget = writer.prepare("DELETE FROM submissions WHERE created <= ?");

  return {
    /** Inside a commit; what was created at or before `since` counts no more. */
    get: ({ who, key }: SubmissionName, since: number): SubmissionRow | undefined => current.get(who, key, since),
    /** Outside of one. */
    read: ({ who, key }: SubmissionName, since: number): SubmissionRow | undefined => committed.get(who, key, since),
    insert: ({ who, key }: SubmissionName, { mark, job_id }: SubmissionRow, now: number): void => {
      insert.run(who, key, mark, job_id, now);
    },
    forget: (until: number): void => {
      forget.run(until);
    },
  };
};
