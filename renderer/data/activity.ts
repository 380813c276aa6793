import { plural, t } from "@lingui/core/macro";
import type { UiJobRow } from "../../shared/api/job-view.ts";
import { ahead, type Finish, type Turn } from "../../shared/model/forecast.ts";
import { jobStateName, type StateName } from "../../shared/model/state-labels.ts";
import { reasonLine } from "../../shared/texts/reason-first.ts";
import { usefulEnd } from "../../shared/texts/useful-error-end.ts";
import { auditWords } from "../language/audit.ts";
import { summaryText } from "../language/reasons.ts";
import { stateMeans } from "../language/words.ts";
import { comingDay, minuteTime, number, shortTime, timeTaken, withShortTimes } from "../ui/text/format.ts";

export type ActivityText = {
  readonly text: string;
  /** What `text` is short for. */
  readonly full?: string;
  readonly tone: "plain" | "fault" | "warning";
  /** A task that waits: its page says why. */
  readonly whyTask: string | undefined;
};

type Job = Pick<
  UiJobRow,
  "status" | "substatus" | "error" | "start_time" | "end_time" | "happening" | "task_counts" | "finish" | "turn"
>;

const plain = (text: string): ActivityText => ({ text, tone: "plain", whyTask: undefined });

const shortened = (message: string): ActivityText => ({ ...plain(reasonLine(message)), full: message });

/** What one job is doing now, in one concrete sentence. */
export const describeActivity = (job: Job, now: number): ActivityText => {
  const say = sentences[jobStateName(job)];
  return say?.(job, now) ?? going(job, now);
};

const sentences: Partial<Record<StateName, (job: Job, now: number) => ActivityText | undefined>> = {
  failed: ({ error }) => ({ ...(error === null ? plain(t`Failed`) : shortened(usefulEnd(error))), tone: "fault" }),
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
  if (retry) return { ...plain(retryWords(retry, now)), full: retryWords(retry, now, false), tone: "warning" };
  const begins = turnWords(job.turn, now);
  if (waiting) {
    const why = withShortTimes(summaryText(waiting.message, waiting.parts), now);
    return { ...plain(begins === undefined ? why : `${why}; ${begins}`), whyTask: waiting.task_id };
  }
  const why = job.task_counts.queued > 0 ? t`Waits for a free slot` : stateMeans(jobStateName(job));
  return plain(begins === undefined ? why : `${why}; ${begins}`);
};

const runningWords = ({ tasks, nodes, node_count, speed }: NonNullable<Job["happening"]["running"]>): string => {
  const where = node_count === 1 ? (nodes[0] ?? t`a node`) : plural(node_count, { one: "# node", other: "# nodes" });
  const what = t`${plural(tasks, { one: "# task", other: "# tasks" })} on ${where}`;
  if (speed === null || speed < 0.005) return what;
  return `${what}, ${paceOf(speed)}`;
};

const retryWords = (
  { at, nr, of, message }: NonNullable<Job["happening"]["retry"]>,
  now: number,
  isShort = true,
): string => {
  const time = shortTime(at, now);
  const next = of === null ? t`retry ${nr} at ${time}` : t`retry ${nr} of ${of} at ${time}`;
  if (message === "") return next;
  const why = usefulEnd(message);
  return `${isShort ? reasonLine(why) : why}; ${next}`;
};

/** "1.2× real time": a job's speed and a task's in the same words. */
export const paceOf = (speed: number): string => t`${number(speed, speed < 0.95 ? 2 : 1)}× real time`;

/** "place 3 in the queue, starts 14:58–15:10"; undefined where neither is known. */
export const turnWords = (turn: Turn | null, now: number): string | undefined => {
  if (!turn) return undefined;
  const { place, start } = turn;
  if (start === null) return place === null ? undefined : t`place ${number(place)} in the queue`;
  const time = finishWords(start, now);
  return place === null ? t`starts ${time}` : t`place ${number(place)} in the queue, starts ${time}`;
};

/** "14:58–15:10", "Mon 03:00–09:00"; only the day if it may end on another day; "now" where all of it has come. */
export const finishWords = (finish: Finish | null, now: number): string => {
  if (finish === null) return "–";
  if (Date.parse(finish.to) <= now) return t`any moment`;
  const { from: first, to: last } = ahead(finish, now);
  const [firstDay, lastDay] = [comingDay(first, now), comingDay(last, now)];
  const [from, to] = [minuteTime(Date.parse(first)), minuteTime(Date.parse(last))];
  if (firstDay !== lastDay) return `${firstDay ?? from}–${lastDay}`;
  return [...(firstDay === undefined ? [] : [firstDay]), from === to ? from : `${from}–${to}`].join(" ");
};
