import { plural, t } from "@lingui/core/macro";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { JobAction } from "../../shared/api/job-actions.ts";
import type { UiAnswer } from "../../shared/api/ui-client.ts";
import { messageOf } from "../../shared/basics/errors.ts";
import { systemClock } from "../../shared/basics/system-clock.ts";
import type { JobInfo } from "../../shared/model/job-info.ts";
import type { Node } from "../../shared/model/node.ts";
import type { NodeState } from "../../shared/state/node.ts";
import { useSay } from "../ui/overlays/toast.tsx";
import { minuteTime } from "../ui/text/format.ts";
import { request } from "./client.ts";

export const [lowestPriority, highestPriority] = [1, 254];

/** Undo cancels a delete before it is sent: the page waits this long. */
const undoMs = 8000;

type Named = Pick<JobInfo, "id">;
type Ranked = Pick<JobInfo, "id" | "priority">;
type More = { readonly priority?: number; readonly note?: string };

type Doing = {
  /** `job`: the only one's id. */
  readonly done: (count: number, job: string, priority: number | undefined) => string;
  readonly failed: (count: number, job: string) => string;
};

/** What people are told of each action on jobs. */
const doings: Readonly<Record<JobAction, Doing>> = {
  stop: {
    done: (count, job) => plural(count, { 1: `Job ${job} is stopped.`, other: "# jobs are stopped." }),
    failed: (count, job) => plural(count, { 1: `Job ${job} not stopped`, other: "# jobs not stopped" }),
  },
  pause: {
    done: (count, job) => plural(count, { 1: `Job ${job} is paused.`, other: "# jobs are paused." }),
    failed: (count, job) => plural(count, { 1: `Job ${job} not paused`, other: "# jobs not paused" }),
  },
  resume: {
    done: (count, job) => plural(count, { 1: `Job ${job} is resumed.`, other: "# jobs are resumed." }),
    failed: (count, job) => plural(count, { 1: `Job ${job} not resumed`, other: "# jobs not resumed" }),
  },
  retry: {
    done: (count, job) => plural(count, { 1: `Job ${job} is queued again.`, other: "# jobs are queued again." }),
    failed: (count, job) => plural(count, { 1: `Job ${job} not queued again`, other: "# jobs not queued again" }),
  },
  priority: {
    done: (count, job, priority = 0) =>
      plural(count, { 1: `Job ${job} is at priority ${priority}.`, other: `# jobs are at priority ${priority}.` }),
    failed: (count, job) => plural(count, { 1: `Job ${job} not changed`, other: "# jobs not changed" }),
  },
  delete: {
    done: (count, job) => plural(count, { 1: `Job ${job} is deleted.`, other: "# jobs are deleted." }),
    failed: (count, job) => plural(count, { 1: `Job ${job} not deleted`, other: "# jobs not deleted" }),
  },
};

/** "3 jobs are stopped. 1 not: There is no job 9". */
const resultOf = (items: UiAnswer<"changeJobs">["items"], told: (good: readonly Named[]) => string): string => {
  const refused = items.filter(({ success }) => !success);
  const good = items.filter(({ success }) => success);
  const why = refused[0]?.message ?? "";
  if (good.length === 0) return t`Nothing was changed: ${why}`;
  return refused.length === 0 ? told(good) : t`${told(good)} ${refused.length} not: ${why}`;
};

/** People's actions on jobs and nodes: done at once, with Undo where possible; refusals are shown. */
export const useActions = () => {
  const say = useSay();
  const queries = useQueryClient();
  return useMemo(() => {
    const needs = { say, queries, ...attempts(say, queries) };
    const change = changeJobs(needs);
    return {
      change,
      ...priorityActions(change),
      ...jobActions(needs, change),
      ...taskActions(needs),
      ...nodeActions(needs),
    };
  }, [say, queries]);
};

type Say = ReturnType<typeof useSay>;

const attempts = (say: Say, queries: QueryClient) => ({
  readAgain: () => {
    for (const key of ["jobs", "overview", "counts"]) void queries.invalidateQueries({ queryKey: [key] });
  },
  attempt: async (what: string, act: () => Promise<unknown>): Promise<boolean> => {
    try {
      await act();
      return true;
    } catch (problem) {
      say(`${what}: ${messageOf(problem)}`);
      return false;
    }
  },
});

type Needs = ReturnType<typeof attempts> & { readonly say: Say; readonly queries: QueryClient };
type ChangeJobs = ReturnType<typeof changeJobs>;

/** One action on some jobs; reports how many succeeded, and why the others did not. */
const changeJobs =
  ({ say, attempt, readAgain }: Needs) =>
  async (action: JobAction, jobs: readonly Named[], more: More = {}, undo?: () => void): Promise<void> => {
    const { done, failed } = doings[action];
    await attempt(failed(jobs.length, jobs[0]?.id ?? ""), async () => {
      const { items } = await request("changeJobs", { action, ids: jobs.map(({ id }) => id), ...more });
      const told = (good: readonly Named[]) => done(good.length, good[0]?.id ?? "", more.priority);
      say(resultOf(items, told), undo);
    });
    readAgain();
  };

const priorityActions = (change: ChangeJobs) => {
  const setPriority = (jobs: readonly Ranked[], wanted: number) => {
    const priority = Math.max(lowestPriority, Math.min(highestPriority, Math.round(wanted)));
    if (!Number.isFinite(priority)) return;
    const before = Map.groupBy(jobs, (job) => job.priority);
    void change("priority", jobs, { priority }, () => {
      for (const [old, group] of before) void change("priority", group, { priority: old });
    });
  };
  return {
    setPriority,
    addPriority: (jobs: readonly Ranked[], step: number) => {
      for (const [priority, group] of Map.groupBy(jobs, (job) => job.priority)) setPriority(group, priority + step);
    },
  };
};

const jobActions = ({ say, queries, attempt, readAgain }: Needs, change: ChangeJobs) => ({
  stop: (jobs: readonly Named[], note?: string) => change("stop", jobs, note ? { note } : {}),
  hold: (jobs: readonly Named[], isPaused: boolean, note?: string) =>
    change(
      isPaused ? "resume" : "pause",
      jobs,
      note ? { note } : {},
      () => void change(isPaused ? "pause" : "resume", jobs),
    ),
  /** Deletes after a delay in which it can be undone; returns at once. */
  remove: (jobs: readonly Named[]): void => {
    const cancel = systemClock.after(undoMs, () => {
      for (const { id } of jobs) queries.removeQueries({ queryKey: ["job", id] });
      void change("delete", jobs);
    });
    say(
      plural(jobs.length, { 1: `Job ${jobs[0]?.id ?? ""} will be deleted.`, other: "# jobs will be deleted." }),
      cancel,
    );
  },
  startAfter: async (jobs: readonly Named[], at: Date | null) => {
    const start_after = at?.toISOString() ?? null;
    const all = jobs.map(({ id }) => request("updateJob", { job_id: id, start_after }));
    if (await attempt(t`The start was not changed`, () => Promise.all(all))) {
      say(
        at
          ? t`${plural(jobs.length, { one: "# job", other: "# jobs" })} will start after ${minuteTime(at.getTime())}.`
          : t`It may start now.`,
      );
    }
    readAgain();
  },
  /** The whole job, including what succeeded. */
  retryAll: async (job: Named) => {
    const act = () => request("retryJob", { job_id: job.id, scope: "all" });
    if (await attempt(t`It was not started again`, act)) say(t`Job ${job.id} runs again from its beginning.`);
    readAgain();
  },
});

const taskActions = ({ say, attempt, readAgain }: Needs) => ({
  retryTask: async (taskId: string, replan?: boolean) => {
    const act = () => request("retryTask", { task_id: taskId, ...(replan === undefined ? {} : { replan }) });
    if (await attempt(t`It was not retried`, act)) say(t`Queued again.`);
    readAgain();
  },
});

const nodeActions = ({ say, attempt, readAgain }: Needs) => {
  const setState = (node: Pick<Node, "id" | "name">, state: NodeState, note?: string) =>
    attempt(t`${node.name} was not changed`, () =>
      request("updateNode", { node_id: node.id, state, ...(note ? { note } : {}) }),
    );
  return {
    revokeNode: async (node: Pick<Node, "id" | "name">) => {
      const act = () => request("revokeNode", { node_id: node.id });
      const isDone = await attempt(t`${node.name} was not revoked`, act);
      if (isDone) say(t`${node.name} is revoked.`);
      return isDone;
    },
    /** Null shows them again. */
    acknowledge: async (subjects: readonly string[], until: string | null, why?: string) => {
      await attempt(t`Nothing was changed`, () =>
        request("acknowledge", { subjects: [...subjects], until, ...(why ? { why } : {}) }),
      );
      readAgain();
    },
    setNode: async (node: Pick<Node, "id" | "name" | "state">, state: NodeState, note?: string) => {
      const words = {
        active: t`${node.name} takes work again.`,
        drain: t`${node.name} drains: it finishes its running tasks.`,
        paused: t`${node.name} is paused.`,
      } as const;
      if (await setState(node, state, note)) {
        const { state: before } = node;
        // Nobody can be made to wait for approval again; they can be paused.
        say(words[state], () => void setState(node, before === "pending" ? "paused" : before));
      }
      readAgain();
    },
  };
};
