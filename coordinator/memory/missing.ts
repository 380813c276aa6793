import type { SubmissionName } from "../store/rows.ts";

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
