import { plural, t } from "@lingui/core/macro";
import type { UiJobRow } from "../../../shared/api/job-view.ts";
import { mostFailed, type Overview } from "../../../shared/api/overview.ts";
import type { Node } from "../../../shared/model/node.ts";
import { nodeStateName, type StateName } from "../../../shared/model/state-labels.ts";
import type { Acknowledgement } from "../../../shared/people/acknowledgement.ts";
import type { AuditEntry } from "../../../shared/people/audit.ts";
import { usefulEnd } from "../../../shared/texts/useful-error-end.ts";
import { describeActivity } from "../../data/activity.ts";
import { type NodeFilter, shownStates } from "../../data/node-filters.ts";
import { auditWords } from "../../language/audit.ts";
import { lendingText } from "../../language/lending.ts";
import { summaryText } from "../../language/reasons.ts";
import { refusalWords } from "../../language/words.ts";
import { percentage, shortTime, span, withShortTimes } from "../../ui/text/format.ts";
import { withoutNames, wordsOfAll } from "./alike-errors.ts";

/** Something that a person should know or do: a sentence and a link. */
export type Problem = {
  readonly key: string;
  /** What it is about, each with since when: who acknowledges it acknowledges these, and not what comes to them later. */
  readonly subjects: readonly string[];
  /** Somebody looks after all of it: the one whose time ends first. */
  readonly known?: Acknowledgement | undefined;
  readonly state: StateName;
  readonly title: string;
  readonly text: string;
  /** What its title leads to: the one thing, or the list of all that are alike. */
  readonly to:
    | { readonly jobId: string }
    | { readonly nodeId: string }
    | { readonly nodes: NodeFilter }
    | { readonly jobs: "failed" | "paused" | "waiting"; readonly text?: string | undefined };
  /** Milliseconds since 1970; the newest comes first. */
  readonly since: number;
  readonly act:
    | { readonly kind: "open"; readonly jobId: string; readonly taskId?: string }
    | { readonly kind: "why"; readonly taskId: string }
    | { readonly kind: "retry"; readonly jobIds: readonly string[] }
    | { readonly kind: "activate" | "trust"; readonly nodeId: string }
    | { readonly kind: "resume"; readonly jobIds: readonly string[] }
    | { readonly kind: "node"; readonly nodeId: string }
    | { readonly kind: "nodes"; readonly state: NodeFilter };
};

/** Ready for longer than this is standing still. */
const longWaitMs = 15 * 60_000;
const most = 30;

/** All that needs a person, the newest first; what is acknowledged says so. */
export const findProblems = (overview: Overview, nodes: readonly Node[], now: number): Problem[] => {
  const known = new Map(overview.acknowledged.map((each) => [each.subject, each]));
  return [
    ...failedJobs(overview),
    ...groupAlike(nodes.flatMap((node) => nodeProblem(node, overview, now))),
    ...waits(overview, now),
    ...overview.stuck.map((task) => stuckTask(task, now)),
    ...pausedJobs(overview, now),
  ]
    .map((problem) => ({ ...problem, known: knownOf(problem, known) }))
    .sort((a, b) => b.since - a.since)
    .slice(0, most);
};

/** One more node that is lost makes a problem of all of them again. */
const knownOf = ({ subjects }: Problem, known: ReadonlyMap<string, Acknowledgement>): Acknowledgement | undefined => {
  const found = subjects.flatMap((subject) => known.get(subject) ?? []);
  if (found.length < subjects.length) return undefined;
  return found.sort((a, b) => a.until.localeCompare(b.until))[0];
};

type NodeProblem = Problem & {
  readonly state: NodeFilter;
  /** What those that are alike have in common. */
  readonly alike: string;
};

/** Forty nodes that are silent are one line, which leads to all of them. */
const groupAlike = (problems: readonly NodeProblem[]): Problem[] =>
  [...Map.groupBy(problems, ({ state, alike }) => `${state} ${alike}`).values()].map((group) => {
    const [first] = group as [NodeProblem, ...NodeProblem[]]; // a group is never empty
    if (group.length === 1) return first;
    const newest = group.reduce((last, each) => (each.since > last.since ? each : last));
    return {
      ...newest,
      title: plural(group.length, { one: `# node, like ${first.title}`, other: `# nodes, like ${first.title}` }),
      subjects: group.flatMap(({ subjects }) => subjects),
      to: { nodes: first.state },
      act: { kind: "nodes", state: first.state },
    };
  });

const subjectOf = (...parts: readonly (string | null | undefined)[]): string => parts.join(" ");

/** So many held and waiting jobs are told of at most. */
const [mostHeld, mostWaiting] = [50, 12];

/** "3 jobs, like A021"; where not all jobs were told of, there may be more. */
const alike = (count: number, first: string, isAll: boolean): string => {
  if (count === 1) return first;
  return isAll
    ? plural(count, { one: `# job, like ${first}`, other: `# jobs, like ${first}` })
    : t`${count} or more jobs, like ${first}`;
};

/** Jobs with the same failure are one entry. */
const failedJobs = ({ failed }: Overview): Problem[] => {
  const groups = Map.groupBy(failed, ({ error }) => withoutNames(error ?? ""));
  return [...groups.values()].map((jobs) => {
    const [first] = jobs as [(typeof jobs)[number], ...typeof jobs]; // a group is never empty
    const title = alike(jobs.length, first.name, failed.length < mostFailed);
    return {
      key: `failed ${first.id}`,
      subjects: jobs.map(({ id, end_time }) => subjectOf("job", id, "failed", end_time)),
      state: "failed",
      title,
      text: usefulEnd(first.error ?? t`It failed without a message`),
      to: jobs.length === 1 ? { jobId: first.id } : { jobs: "failed", text: wordsOfAll(first.error ?? "") },
      since: Date.parse(first.end_time ?? first.creation_time),
      act: jobs.length === 1 ? { kind: "open", jobId: first.id } : { kind: "retry", jobIds: jobs.map(({ id }) => id) },
    };
  });
};

const nodeProblem = (node: Node, { node_actions }: Overview, now: number): NodeProblem[] => {
  const state = shownStates.find((each) => each === nodeStateName(node));
  if (state === undefined || (state !== "lost" && node.lending?.state === "diskLow")) return fullDisk(node, now);
  const seen = Date.parse(node.last_seen);
  const about = { key: `node ${node.id}`, state, title: node.name, to: { nodeId: node.id }, alike: "" } as const;
  const subjectsSince = (since: string) => [subjectOf("node", node.id, state, since)];
  if (state === "lost" || state === "late") {
    const silence = span(now - seen);
    const text =
      state === "lost"
        ? t`Silent for ${silence}. Its tasks were given to others; no finished work is lost.`
        : t`Silent for ${silence}. Its work still counts.`;
    const subjects = subjectsSince(node.last_seen);
    return [{ ...about, subjects, text, since: seen, act: { kind: "node", nodeId: node.id } }];
  }
  if (state === "quarantined") {
    const why = refusalWords(node.health.why ?? "") || t`It kept failing where others did not`;
    const text = t`${why}. Until ${shortTime(node.health.until, now)}.`;
    const subjects = subjectsSince(node.health.until ?? "");
    return [{ ...about, subjects, alike: why, text, since: now, act: { kind: "trust", nodeId: node.id } }];
  }
  if (state !== "paused" && state !== "draining") return [];
  const entry = node_actions.find(({ node_id }) => node_id === node.id);
  const text = entry ? auditSentence(entry, now) : plural(node.slots, { one: "# slot out.", other: "# slots out." });
  const subjects = subjectsSince(entry?.at ?? "");
  const alike = entry ? `${entry.who} ${entry.note}` : "";
  const act = { kind: "activate", nodeId: node.id } as const;
  return [{ ...about, subjects, alike, text, since: entry ? Date.parse(entry.at) : 0, act }];
};

/** A node that stopped itself: somebody has to make room. */
const fullDisk = ({ id, name, presence, lending }: Node, now: number): NodeProblem[] => {
  if (presence !== "online" || lending?.state !== "diskLow") return [];
  const about = {
    key: subjectOf("disk", id),
    state: "paused",
    alike: "disk",
    title: name,
    to: { nodeId: id },
  } as const;
  const subjects = [subjectOf("node", id, "disk")];
  return [
    {
      ...about,
      subjects,
      text: `${lendingText(lending).replace(/\.$/, "")}.`,
      since: now,
      act: { kind: "node", nodeId: id },
    },
  ];
};

const auditSentence = (entry: AuditEntry, now: number): string => `${auditWords(entry)}, ${shortTime(entry.at, now)}.`;

const waits = ({ oldest_ready, waiting }: Overview, now: number): Problem[] => {
  const long = waiting.filter(
    ({ happening, creation_time }) => happening.waiting && now - Date.parse(creation_time) >= longWaitMs,
  );
  const known = new Set(long.map(({ id }) => id));
  const jobs = [...Map.groupBy(long, whyOf).values()].map((jobs) => waitingAlike(jobs, waiting.length, now));
  if (!oldest_ready || known.has(oldest_ready.job_id)) return jobs;
  const since = Date.parse(oldest_ready.since);
  if (now - since < longWaitMs) return jobs;
  const text = t`A task has been ready for ${span(now - since)}.`;
  const act = { kind: "why", taskId: oldest_ready.task_id } as const;
  const to = { jobId: oldest_ready.job_id };
  return [
    ...jobs,
    {
      key: "oldest",
      subjects: [subjectOf("task", oldest_ready.task_id, "ready")],
      state: "waiting",
      title: oldest_ready.job,
      text,
      to,
      since,
      act,
    },
  ];
};

/** Why a job waits, but for how many go before it: all that wait for the same are one thing. */
const whyOf = ({ happening: { waiting } }: UiJobRow): string => {
  const parts = waiting?.parts.filter(({ reason }) => reason !== "ahead") ?? [];
  return parts.length === 0 ? (waiting?.message ?? "") : summaryText("", parts);
};

const waitingAlike = (jobs: readonly UiJobRow[], told: number, now: number): Problem => {
  const [first] = jobs as [UiJobRow, ...UiJobRow[]]; // a group is never empty
  const why = first.happening.waiting;
  const said = jobs.length === 1 ? summaryText(why?.message ?? "", why?.parts ?? []) : whyOf(first);
  return {
    key: `wait ${first.id}`,
    subjects: jobs.map(({ id }) => subjectOf("job", id, "waiting")),
    state: "waiting",
    title: alike(jobs.length, first.name, told < mostWaiting),
    text: `${withShortTimes(said.replace(/\.$/, ""), now)}.`,
    to: jobs.length === 1 ? { jobId: first.id } : { jobs: "waiting" },
    since: Date.parse(first.start_time ?? first.creation_time),
    act: { kind: "why", taskId: why?.task_id ?? "" },
  };
};

const stuckTask = (
  { task_id, job_id, name, node, since, progress }: Overview["stuck"][number],
  now: number,
): Problem => ({
  key: `stuck ${task_id}`,
  subjects: [subjectOf("task", task_id, "stuck", since)],
  state: "late",
  title: name,
  text: t`On ${node}, at ${percentage(progress)} for ${span(now - Date.parse(since))} or longer.`,
  to: { jobId: job_id },
  since: Date.parse(since),
  act: { kind: "open", jobId: job_id, taskId: task_id },
});

/** Jobs that one person paused for one reason are one thing to look at. */
const pausedJobs = ({ held }: Overview, now: number): Problem[] => {
  const paused = held.filter(({ substatus }) => substatus === "paused");
  const groups = Map.groupBy(paused, ({ happening: { last_action: entry } }) =>
    entry ? `${entry.who} ${entry.note}` : "",
  );
  return [...groups.values()].map((jobs) => {
    const [first] = jobs as [(typeof jobs)[number], ...typeof jobs]; // a group is never empty
    return {
      key: `paused ${first.id}`,
      subjects: jobs.map(({ id, happening }) => subjectOf("job", id, "paused", happening.held?.since)),
      state: "paused",
      title: alike(jobs.length, first.name, held.length < mostHeld),
      text: `${describeActivity(first, now).text}.`,
      to: jobs.length === 1 ? { jobId: first.id } : { jobs: "paused" },
      since: Date.parse(first.happening.last_action?.at ?? first.happening.held?.since ?? first.creation_time),
      act: { kind: "resume", jobIds: jobs.map(({ id }) => id) },
    };
  });
};

/** The page in one sentence: whether work moves, and when nothing is left. */
export const headline = ({
  overview,
  running,
  ready,
  likely,
}: {
  readonly overview: Overview;
  readonly running: number;
  readonly ready: number;
  /** When the queue is likely to be empty. */
  readonly likely: string | undefined;
}): string => {
  if (running === 0 && ready === 0) return overview.active_count === 0 ? t`Nothing to do.` : t`Nothing runs.`;
  if (running === 0)
    return plural(ready, {
      one: "Standing still: # task ready, none running.",
      other: "Standing still: # tasks ready, none running.",
    });
  return likely === undefined ? t`Moving.` : t`Moving. The queue is empty around ${likely}.`;
};
