import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { messageOf } from "../../shared/errors.ts";
import type { JobAction } from "../../shared/job-actions.ts";
import type { JobInfo } from "../../shared/job-info.ts";
import type { Node } from "../../shared/node.ts";
import type { NodeState } from "../../shared/state/node.ts";
import { systemClock } from "../../shared/system-clock.ts";
import type { UiAnswer } from "../../shared/ui-client.ts";
import { countOf } from "../ui/format.ts";
import { useSay } from "../ui/toast.tsx";
import { request } from "./client.ts";

export const [lowestPriority, highestPriority] = [1, 254];

/** Undo cancels a delete before it is sent: the page waits this long. */
const undoMs = 8000;

const done: Record<JobAction, string> = {
  stop: "stopped",
  pause: "paused",
  resume: "resumed",
  retry: "queued again",
  priority: "changed",
  delete: "deleted",
};

type Named = Pick<JobInfo, "id">;
type Ranked = Pick<JobInfo, "id" | "priority">;
type More = { readonly priority?: number; readonly note?: string };

const wordOf = (jobs: readonly Named[]): string =>
  jobs.length === 1 ? `Job ${jobs[0]?.id}` : countOf(jobs.length, "job");

/** "3 jobs are stopped. 1 not: There is no job 9". */
const resultOf = (items: UiAnswer<"changeJobs">["items"], how: string): string => {
  const refused = items.filter(({ success }) => !success);
  const good = items.filter(({ success }) => success);
  const why = refused[0]?.message ?? "";
  if (good.length === 0) return `Nothing was changed: ${why}`;
  const what = `${wordOf(good)} ${good.length === 1 ? "is" : "are"} ${how}.`;
  return refused.length === 0 ? what : `${what} ${refused.length} not: ${why}`;
};

/** People's actions on jobs and nodes: done at once, with Undo where possible; refusals are shown. */
export const useActions = () => {
  const say = useSay();
  const queries = useQueryClient();
  return useMemo(() => {
    const readAgain = () => {
      for (const key of ["jobs", "overview", "counts"]) void queries.invalidateQueries({ queryKey: [key] });
    };
    const attempt = async (what: string, act: () => Promise<unknown>): Promise<boolean> => {
      try {
        await act();
        return true;
      } catch (problem) {
        say(`${what}: ${messageOf(problem)}`);
        return false;
      }
    };

    /** One action on some jobs; reports how many succeeded, and why the others did not. */
    const change = async (action: JobAction, jobs: readonly Named[], more: More = {}, undo?: () => void) => {
      await attempt(`${wordOf(jobs)} not ${done[action]}`, async () => {
        const { items } = await request("changeJobs", { action, ids: jobs.map(({ id }) => id), ...more });
        const how = action === "priority" ? `at priority ${more.priority}` : done[action];
        say(resultOf(items, how), undo);
      });
      readAgain();
    };

    const setPriority = (jobs: readonly Ranked[], wanted: number) => {
      const priority = Math.max(lowestPriority, Math.min(highestPriority, Math.round(wanted)));
      if (!Number.isFinite(priority)) return;
      const before = Map.groupBy(jobs, (job) => job.priority);
      void change("priority", jobs, { priority }, () => {
        for (const [old, group] of before) void change("priority", group, { priority: old });
      });
    };

    const setState = (node: Pick<Node, "id" | "name">, state: NodeState, note?: string) =>
      attempt(`${node.name} was not changed`, () =>
        request("updateNode", { node_id: node.id, state, ...(note ? { note } : {}) }),
      );

    return {
      change,
      setPriority,
      addPriority: (jobs: readonly Ranked[], step: number) => {
        for (const [priority, group] of Map.groupBy(jobs, (job) => job.priority)) setPriority(group, priority + step);
      },
      stop: (jobs: readonly Named[], note?: string) => change("stop", jobs, note ? { note } : {}),
      hold: (jobs: readonly Named[], isHeld: boolean, note?: string) =>
        change(
          isHeld ? "resume" : "pause",
          jobs,
          note ? { note } : {},
          () => void change(isHeld ? "pause" : "resume", jobs),
        ),
      /** Deletes after a delay in which it can be undone; returns at once. */
      remove: (jobs: readonly Named[]): void => {
        const cancel = systemClock.after(undoMs, () => {
          for (const { id } of jobs) queries.removeQueries({ queryKey: ["job", id] });
          void change("delete", jobs);
        });
        say(`${wordOf(jobs)} will be deleted.`, cancel);
      },
      startAfter: async (jobs: readonly Named[], at: Date | null) => {
        const start_after = at?.toISOString() ?? null;
        const all = jobs.map(({ id }) => request("updateJob", { job_id: id, start_after }));
        if (await attempt("The start was not changed", () => Promise.all(all))) {
          say(
            at
              ? `${countOf(jobs.length, "job")} will start after ${at.toTimeString().slice(0, 5)}.`
              : "It may start now.",
          );
        }
        readAgain();
      },
      /** The whole job, including what succeeded. */
      retryAll: async (job: Named) => {
        const act = () => request("retryJob", { job_id: job.id, scope: "all" });
        if (await attempt("It was not started again", act)) say(`Job ${job.id} runs again from its beginning.`);
        readAgain();
      },
      retryTask: async (taskId: string, replan?: boolean) => {
        const act = () => request("retryTask", { task_id: taskId, ...(replan === undefined ? {} : { replan }) });
        if (await attempt("It was not retried", act)) say("Queued again.");
        readAgain();
      },
      revokeNode: async (node: Pick<Node, "id" | "name">) => {
        const act = () => request("revokeNode", { node_id: node.id });
        const isDone = await attempt(`${node.name} was not revoked`, act);
        if (isDone) say(`${node.name} is revoked.`);
        return isDone;
      },
      setNode: async (node: Pick<Node, "id" | "name" | "state">, state: NodeState, note?: string) => {
        const words = { active: "takes work again", drain: "drains: it ends what runs", paused: "is paused" } as const;
        if (await setState(node, state, note))
          say(`${node.name} ${words[state]}.`, () => void setState(node, node.state));
        readAgain();
      },
    };
  }, [say, queries]);
};
