/** How long a message is tried again, and how often. */
export type Patience = {
  /** The waits after the first tries, in milliseconds; the last one is that of all others. */
  readonly waits: readonly number[];
  /** A message whose next try would come later than this is given up. */
  readonly giveUpAfterMs: number;
  /** Waits are shorter or longer by as much as this part, by chance, so that tries do not come all at once. */
  readonly spread: number;
};

export type Tried = {
  /** How often it was tried before. */
  readonly tries: number;
  /** When tries began. */
  readonly since: number;
  /** How long the receiver asks to wait, in milliseconds: the wait is no shorter, but never longer than the longest one. */
  readonly askedMs?: number | undefined;
};

/** When to try again what just failed; undefined: it is given up. `chance` is a random number from 0 to 1. */
export const nextTryOf = (
  { tries, since, askedMs = 0 }: Tried,
  now: number,
  { waits, giveUpAfterMs, spread }: Patience,
  chance: number,
): number | undefined => {
  const usual = waits[Math.min(tries, waits.length - 1)] ?? giveUpAfterMs;
  const asked = Math.min(askedMs, waits.at(-1) ?? giveUpAfterMs);
  // Chance does not shorten what was asked for.
  const wait = Math.max(usual * (1 + spread * (2 * chance - 1)), asked * (1 + spread * chance));
  const next = now + Math.round(wait);
  return next - since > giveUpAfterMs ? undefined : next;
};
