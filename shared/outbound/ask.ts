/** A question of the farm itself to a server that an owner named, such as an identity provider. */
export type Question = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** What may be reached; public addresses are always allowed. */
  readonly rules: readonly string[];
};

export type Answer = {
  readonly status: number;
  /** What it says its body is. */
  readonly type: string;
  readonly body: string;
};

/** Asks, or throws an error that says why there is no answer. Redirects are not followed. */
export type Ask = (question: Question) => Promise<Answer>;
