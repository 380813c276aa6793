import type { AlertOutcome } from "../store/alerts.ts";

const minuteMs = 60_000;
const waits = [0.5, 1, 2, 5, 15, 30].map((minutes) => minutes * minuteMs);
const usualWait = 60 * minuteMs;
/** A message that could not be told for so long is given up: it is no news any more. */
const giveUpAfterMs = 24 * 60 * minuteMs;
const longestAnswer = 1000;

export const afterSuccess = (tries: number, now: number, answer: string): AlertOutcome => ({
  ...{ state: "told", tries: tries + 1, nextTry: null, ended: now },
  answer: answer.slice(0, longestAnswer),
});

/** When a message is tried again that could not be told, or that it is given up. */
export const afterFailure = (
  { tries, made }: { readonly tries: number; readonly made: number },
  now: number,
  why: string,
): AlertOutcome => {
  const answer = why.slice(0, longestAnswer);
  const nextTry = now + (waits[tries] ?? usualWait);
  return nextTry - made > giveUpAfterMs
    ? { state: "given_up", tries: tries + 1, nextTry: null, ended: now, answer }
    : { state: "waiting", tries: tries + 1, nextTry, ended: null, answer };
};

/** Nothing can be told to a channel that is not there. */
export const givenUp = (tries: number, now: number, answer: string): AlertOutcome => ({
  ...{ state: "given_up", tries, nextTry: null, ended: now, answer },
});
