import { usefulEnd } from "../../shared/texts/useful-error-end.ts";
import type { RecentAttempt } from "../store/recent-attempts.ts";

/** An attempt as reports use it. Times are in milliseconds. */
export type AttemptFact = Pick<RecentAttempt, "job_id" | "state" | "ended" | "task_state" | "cause" | "message"> & {
  readonly node: string;
};

const hourMs = 3_600_000;
const parts = 24;
const mostGroups = 20;
const someNames = 5;

/** The number of successful attempts in each part of the last twelve hours, and in the last two parts. */
export const throughputOf = (attempts: readonly AttemptFact[], now: number) => {
  const span = 12 * hourMs;
  const counts = new Array<number>(parts).fill(0);
  let [lastHour, hourBefore] = [0, 0];
  for (const { state, ended } of attempts) {
    if (state !== "published" || ended === null) continue;
    const age = now - ended;
    if (age < 0 || age >= span) continue;
    const at = parts - 1 - Math.floor((age / span) * parts);
    counts[at] = (counts[at] ?? 0) + 1;
    if (age < hourMs) lastHour += 1;
    else if (age < 2 * hourMs) hourBefore += 1;
  }
  return { parts: counts, last_hour: lastHour, hour_before: hourBefore };
};

/** Failed attempts of the last day, grouped by cause and message, largest group first. */
export const failureGroupsOf = (attempts: readonly AttemptFact[], now: number) => {
  const failed = attempts.filter(
    ({ state, ended }) => state === "failed" && ended !== null && now - ended < parts * hourMs,
  );
  const groups = Map.groupBy(failed, ({ cause, message }) => `${cause} ${alike(message ?? "")}`);
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .slice(0, mostGroups)
    .map((group) => {
      const last = group.at(-1);
      const counts = new Array<number>(parts).fill(0);
      for (const { ended } of group) {
        const at = parts - 1 - Math.floor((now - (ended ?? now)) / hourMs);
        counts[at] = (counts[at] ?? 0) + 1;
      }
      const jobs = [...new Set(group.map(({ job_id }) => String(job_id)))];
      return {
        cause: last?.cause ?? ("machine" as const),
        message: usefulEnd(last?.message ?? "It failed without a message"),
        count: group.length,
        recovered: group.filter(({ task_state }) => task_state === "completed").length,
        jobs: jobs.slice(0, someNames),
        job_count: jobs.length,
        nodes: [...new Set(group.map(({ node }) => node))].slice(0, someNames),
        last: new Date(last?.ended ?? now).toISOString(),
        parts: counts,
      };
    });
};

/** Messages that differ only in names and numbers are the same. */
const alike = (message: string): string =>
  usefulEnd(message)
    .replaceAll(/["“'][^"”']*["”']|\S*[/\\]\S*/g, "…")
    .replaceAll(/\d+/g, "0")
    .slice(0, 120);

/** The lane of each of a node's attempts, so that none covers another: the lowest free one. */
export const lanesOf = (attempts: readonly Pick<RecentAttempt, "assigned" | "ended">[]): number[] => {
  const until: number[] = [];
  return attempts.map(({ assigned, ended }) => {
    const free = until.findIndex((end) => end <= assigned);
    const lane = free < 0 ? until.length : free;
    until[lane] = ended ?? Number.POSITIVE_INFINITY;
    return lane;
  });
};
