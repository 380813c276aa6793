import { plural } from "@lingui/core/macro";
import type { JobHold } from "../../shared/state/job.ts";

export type HeldJob = { readonly id: string; readonly held: NonNullable<JobHold> };

/** What people are told of jobs that start nothing although they were retried: they were paused or scheduled when they were stopped. */
export const stillHeldWords = (jobs: readonly HeldJob[]): string =>
  [wordsOf(jobs, "paused", pausedWords), wordsOf(jobs, "scheduled", scheduledWords)].filter(Boolean).join(" ");

const wordsOf = (
  jobs: readonly HeldJob[],
  hold: HeldJob["held"],
  words: (count: number, job: string) => string,
): string => {
  const those = jobs.filter(({ held }) => held === hold);
  return those[0] ? words(those.length, those[0].id) : "";
};

const pausedWords = (count: number, job: string): string =>
  plural(count, {
    1: `Job ${job} is still paused: it starts nothing before it is resumed.`,
    other: "# jobs are still paused: they start nothing before they are resumed.",
  });

const scheduledWords = (count: number, job: string): string =>
  plural(count, {
    1: `Job ${job} still waits for its start time.`,
    other: "# jobs still wait for their start times.",
  });
