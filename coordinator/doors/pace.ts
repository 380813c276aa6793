import type { Clock } from "../../shared/basics/clock.ts";

/** How fast something may go on: so often a second, and so often at once after a quiet time. */
export type Speed = { readonly perSecond: number; readonly atOnce: number };

/** Goes on; false if it turns out that there is nothing to do any more. */
type Go = () => boolean;

/**
 * Lets connections go on at a speed. Where they wait, addresses take turns, so a flood of one of them delays others by
 * no more than one connection each. Of one address the latest goes first: its oldest ones may long have given up.
 */
export const createPace = (
  { perSecond, atOnce }: Speed,
  { monotonic, after }: Pick<Clock, "monotonic" | "after">,
): ((share: string, go: Go) => void) => {
  const lines = new Map<string, Go[]>();
  let tokens = atOnce;
  let counted = monotonic();
  let isWaiting = false;

  /** Of the address whose last turn is longest ago. */
  const takeNext = (): Go | undefined => {
    for (const [share, line] of lines) {
      lines.delete(share);
      const latest = line.pop();
      if (line.length > 0) lines.set(share, line);
      return latest;
    }
    return undefined;
  };
  const goOn = (): void => {
    isWaiting = false;
    tokens = Math.min(atOnce, tokens + ((monotonic() - counted) * perSecond) / 1000);
    counted = monotonic();
    while (tokens >= 1 && lines.size > 0) if (takeNext()?.()) tokens -= 1;
    if (lines.size === 0) return;
    isWaiting = true;
    after(Math.ceil(((1 - tokens) * 1000) / perSecond), goOn);
  };
  return (share, go) => {
    const line = lines.get(share);
    if (line) line.push(go);
    else lines.set(share, [go]);
    if (!isWaiting) goOn();
  };
};
