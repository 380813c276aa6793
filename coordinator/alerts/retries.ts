import { nextTryOf, type Patience } from "../outbound/patience.ts";
import type { AlertOutcome } from "../store/alerts.ts";

const minuteMs = 60_000;
/** A message that could not be told for so long is given up: it is no news any more. */
const patience: Patience = {
  waits: [0.5, 1, 2, 5, 15, 30, 60].map((minutes) => minutes * minuteMs),
  giveUpAfterMs: 24 * 60 * minuteMs,
  spread: 0,
};
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
  const nextTry = nextTryOf({ tries, since: made }, now, patience, 0);
  return nextTry === undefined
    ? { state: "given_up", tries: tries + 1, nextTry: null, ended: now, answer }
    : { state: "waiting", tries: tries + 1, nextTry, ended: null, answer };
};

/** Nothing can be told to a channel that is not there. */
export const givenUp = (tries: number, now: number, answer: string): AlertOutcome => ({
  ...{ state: "given_up", tries, nextTry: null, ended: now, answer },
});
