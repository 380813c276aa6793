import { decodeOnce, nameOf } from "../../shared/files/location.ts";
import { jobStateName, type StateName, states, taskStateName } from "../../shared/model/state-labels.ts";
import type { Output } from "../terminal/output.ts";
import type { Paint } from "../text/paint.ts";
import { sizeText } from "../text/size.ts";
import { stateText } from "../text/states.ts";
import { type Column, formatTable } from "../text/table.ts";
import { agoText, durationText, tookText } from "../text/time.ts";
import { plain } from "../text/width.ts";

import type { JobError, JobView, ViewedTask } from "./job-view.ts";

type Row = {
  readonly uid: string;
  readonly kind: string;
  readonly state: StateName;
  readonly task: ViewedTask | undefined;
  /** Of a line that stands for many tasks. */
  readonly count?: number;
};

const mostFiles = 20;
/** An element with more tasks is counted by state. */
const mostTasks = 20;

/** Describes a job for people. */
export const describeJob = (view: JobView, { paint, width }: Pick<Output, "paint" | "width">, now: number): string => {
  const { job, outputs, errors, warnings } = view;
  const state = jobStateName(job);
  const sections = [
    [
      paint("strong", `Job ${job.id}: ${plain(job.name)}`),
      `${paint(states[state].hue, stateText(state))}  ${job.progress} %  ${timesOf(view, now)}`,
      ...(job.error && errors.length === 0 ? [plain(job.error)] : []),
    ].join("\n"),
    formatTable(columns(now, paint), rowsOf(view), width).trimEnd(),
    ...listed("Listed", view.listed.map(describeListed)),
    ...listed(
      "Watched",
      view.watches.flatMap((watch) => describeWatch(watch, now)),
    ),
    ...listed(
      "Made",
      outputs.map(({ url, size }) => `${plain(placeOf(url))}  ${sizeText(size)}`),
    ),
    ...listed(
      "Went wrong",
      errors.flatMap((error) => describeError(error, paint)),
    ),
    ...listed("Warnings", warnings.map(plain)),
    ...hints(view),
  ];
  return `${sections.join("\n\n")}\n`;
};

const timesOf = ({ job }: JobView, now: number): string =>
  [
    `priority ${job.priority}`,
    `submitted ${agoText(job.creation_time, now)}${job.owner === null ? "" : ` by ${plain(job.owner)}`}`,
    job.parent_id === null ? "" : `begun by the watched folder of job ${job.parent_id}`,
    job.start_time && !job.end_time ? `began ${agoText(job.start_time, now)}` : "",
    job.start_time && job.end_time ? `took ${tookText(job.start_time, job.end_time, now)}` : "",
  ]
    .filter(Boolean)
    .join(", ");

/** A task that waits for its next attempt takes no time. */
const taskTime = ({ status, start_time, end_time }: ViewedTask, now: number): string =>
  end_time || status === "running" ? tookText(start_time, end_time, now) : "";

/** One line per task, and one per element without tasks that says why. Of many tasks the first that matter are shown. */
const rowsOf = ({ job, elements }: JobView): Row[] =>
  elements.flatMap(({ uid, kind, tasks }): Row[] => {
    if (tasks.length === 0) return [{ uid, kind, state: withoutTasks(job), task: undefined }];
    const rows = tasks.map((task) => ({ uid, kind, state: taskStateName(task), task }));
    if (rows.length <= mostTasks) return rows;
    const byState = [...Map.groupBy(rows, ({ state }) => state)];
    const counts = byState.map(([state, { length }]) => ({ uid, kind, state, task: undefined, count: length }));
    const first = rows.filter(({ state }) => state !== "completed" && state !== "queued").slice(0, mostTasks);
    return [...counts, ...first];
  });

const withoutTasks = ({ status, substatus }: JobView["job"]): StateName => {
  if (substatus === "stopped") return "stopped";
  return status === "completed" || status === "failed" ? "notTaken" : "blocked";
};

const columns = (now: number, paint: Paint): Column<Row>[] => [
  { title: "ELEMENT", text: ({ uid }) => uid, shrinks: true },
  { title: "KIND", text: ({ kind }) => kind },
  { title: "STATE", text: ({ state }) => stateText(state), paint: (text, { state }) => paint(states[state].hue, text) },
  { title: "DONE", text: ({ task }) => (task ? `${task.progress} %` : ""), align: "right" },
  { title: "TOOK", text: ({ task }) => (task ? taskTime(task, now) : "") },
  { title: "CPU", text: ({ task }) => (task?.cpuMs === undefined ? "" : durationText(task.cpuMs)), align: "right" },
  { title: "MEMORY", text: ({ task }) => (task?.memoryMb === undefined ? "" : `${task.memoryMb} MB`), align: "right" },
  { title: "NODE", text: ({ task }) => task?.machine_uid ?? "", align: "right" },
  { title: "TASK", text: ({ task }) => task?.id ?? "", align: "right" },
  {
    title: "NAME",
    text: ({ task, count }) => task?.name ?? (count === undefined ? "" : `${count} tasks`),
    shrinks: true,
  },
];

const describeListed = ({ element, files, bytes }: JobView["listed"][number]): string =>
  `${plain(element)}: ${files} ${files === 1 ? "file" : "files"}, ${sizeText(bytes)}`;

const mostTaken = 10;

/** What it saw in words, then the files that wait and the last ones that were taken. */
const describeWatch = (watch: JobView["watches"][number], now: number): string[] => {
  const { element_uid, folder, summary, last_look, waiting, files } = watch;
  const looked = last_look === null ? "" : `, looked ${agoText(last_look, now)}`;
  return [
    `${plain(element_uid)}: ${plain(placeOf(folder))}: ${plain(summary)}${looked}`,
    ...waiting.slice(0, mostTaken).map(({ uri, why }) => `  waits: ${plain(nameOf(uri))}, ${plain(why)}`),
    ...files.slice(0, mostTaken).map(({ uri, job_id, problem }) => {
      const what = job_id === null ? `began no job: ${plain(problem ?? "")}` : `job ${job_id}`;
      return `  ${plain(nameOf(uri))}: ${what}`;
    }),
  ];
};

const describeError = ({ task_id, cause, message, advice, recovered }: JobError, paint: Paint): string[] => [
  `${paint(recovered ? "warn" : "bad", `Task ${task_id}, ${cause}${recovered ? ", fixed by a retry" : ""}:`)} ${plain(message)}`,
  ...(advice === null || recovered ? [] : [`  ${advice}`]),
];

/** What can be done next, as commands. */
const hints = (view: JobView): string[] => {
  const steps = view.job.end_time === null ? openSteps(view) : endedSteps(view);
  return steps.length === 0 ? [] : [steps.join("     ")];
};

const openSteps = ({ job, elements }: JobView): string[] => {
  const stop = `Stop it: mediafarm stop ${job.id}`;
  if (job.substatus === "paused" || job.substatus === "scheduled") {
    return [`Resume it: mediafarm resume ${job.id}`, stop];
  }
  const watch = `Watch it: mediafarm job ${job.id} --wait`;
  const waits = elements.flatMap(({ tasks }) => tasks).find(({ status }) => status === "queued");
  if (job.substatus !== "waiting" || !waits) return [watch, stop];
  return [watch, `Why it waits: mediafarm explain ${waits.id}`, stop];
};

const endedSteps = ({ job, errors }: JobView): string[] => {
  const open = errors.filter(({ recovered }) => !recovered);
  const canRetry = open.some(({ cause }) => cause !== "definition");
  return [
    ...open.slice(0, 1).map(({ task_id }) => `Tool output: mediafarm logs ${task_id}`),
    ...(canRetry ? [`Run what failed again: mediafarm retry ${job.id}`] : []),
  ];
};

const listed = (title: string, lines: readonly string[]): string[] => {
  if (lines.length === 0) return [];
  const rest = lines.length > mostFiles ? [`… and ${lines.length - mostFiles} more (--json lists all)`] : [];
  return [[title, ...[...lines.slice(0, mostFiles), ...rest].map((line) => `  ${line}`)].join("\n")];
};

/** A local file as a path that can be copied; anything else as its address. */
const placeOf = (url: string): string => {
  const folder = /^file:\/\/(\/.*)\/[^/]*$/.exec(url)?.[1];
  return folder === undefined ? url : `${decodeOnce(folder)}/${nameOf(url)}`;
};
