import { plural, t } from "@lingui/core/macro";
import type { Finish, UiJobRow } from "../../shared/api/job-view.ts";
import { jobStateName, type StateName } from "../../shared/model/state-labels.ts";
import { usefulEnd } from "../../shared/texts/useful-error-end.ts";
import { auditWords } from "../language/audit.ts";
import { stateMeans } from "../language/words.ts";
import { comingDay, minuteTime, number, shortTime, timeTaken, withShortTimes } from "../ui/text/format.ts";

export type ActivityText = {
  readonly text: string;
  readonly tone: "plain" | "fault" | "warning";
  /** A task that waits: its page says why. */
  readonly whyTask: string | undefined;
};

type Job = Pick<
  UiJobRow,
  "status" | "substatus" | "error" | "start_time" | "end_time" | "happening" | "task_counts" | "finish"
>;

const plain = (text: string): ActivityText => ({ text, tone: "plain", whyTask: undefined });

/** What one job is doing now, in one concrete sentence. */
export const describeActivity = (job: Job, now: number): ActivityText => {
  const say = sentences[jobStateName(job)];
  return say?.(job, now) ?? going(job, now);
};

const sentences: Partial<Record<StateName, (job: Job, now: number) => ActivityText | undefined>> = {
  failed: ({ error }) => ({ ...plain(error === null ? t`Failed` : usefulEnd(error)), tone: "fault" }),
  stopped: ({ happening: { last_action: entry }, end_time }, now) =>
    plain(entry ? auditSentence(entry, now) : t`Stopped ${shortTime(end_time, now)}`),
  paused: ({ happening: { last_action: entry, held } }, now) =>
    plain(entry?.action === "pause" ? auditSentence(entry, now) : t`Paused ${shortTime(held?.since ?? null, now)}`),
  scheduled: ({ happening: { held } }, now) => plain(t`Starts after ${shortTime(held?.until ?? null, now)}`),
  completed: tookOf,
  handled: (job) => {
    const took = tookOf(job);
    return took && plain(t`${took.text}; an error was handled`);
  },
};

const auditSentence = (entry: NonNullable<Job["happening"]["last_action"]>, now: number): string =>
  auditWords(entry, shortTime(entry.at, now));

function tookOf({ start_time, end_time }: Job): ActivityText | undefined {
  if (start_time === null || end_time === null) return undefined;
  return plain(t`Took ${timeTaken(Date.parse(end_time) - Date.parse(start_time))}`);
}

const going = (job: Job, now: number): ActivityText => {
  const { running, waiting, retry } = job.happening;
  if (running) return plain(runningWords(running));
  if (retry) return { ...plain(retryWords(retry, now)), tone: "warning" };
  if (waiting) return { ...plain(withShortTimes(waiting.message, now)), whyTask: waiting.task_id };
  return plain(job.task_counts.queued > 0 ? t`Waits for a free slot` : stateMeans(jobStateName(job)));
};

const runningWords = ({ tasks, nodes, node_count, speed }: NonNullable<Job["happening"]["running"]>): string => {
  const where = node_count === 1 ? (nodes[0] ?? t`a node`) : plural(node_count, { one: "# node", other: "# nodes" });
  const what = t`${plural(tasks, { one: "# task", other: "# tasks" })} on ${where}`;
  if (speed === null || speed < 0.005) return what;
  return t`${what}, ${number(speed, speed < 0.95 ? 2 : 1)}× real time`;
};

const retryWords = ({ at, nr, of, message }: NonNullable<Job["happening"]["retry"]>, now: number): string => {
  const time = shortTime(at, now);
  const next = of === null ? t`retry ${nr} at ${time}` : t`retry ${nr} of ${of} at ${time}`;
  return message === "" ? next : `${usefulEnd(message)}; ${next}`;
};

/** "14:58–15:10", "Mon 03:00–09:00"; only the day if it may end on another day. */
export const finishWords = (finish: Finish | null, now: number): string => {
  if (finish === null) return "–";
  const [first, last] = [comingDay(finish.from, now), comingDay(finish.to, now)];
  const [from, to] = [minuteTime(Date.parse(finish.from)), minuteTime(Date.parse(finish.to))];
  if (first !== last) return `${first ?? from}–${last}`;
  return [...(first === undefined ? [] : [first]), from === to ? from : `${from}–${to}`].join(" ");
};
