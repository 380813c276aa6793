import { plural, t } from "@lingui/core/macro";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { JobAction } from "../../shared/api/job-actions.ts";
import type { UiAnswer } from "../../shared/api/ui/ui-client.ts";
import { messageOf } from "../../shared/basics/errors.ts";
import { limits } from "../../shared/model/job.ts";
import type { Node } from "../../shared/model/node.ts";
import type { NodeState } from "../../shared/state/node.ts";
import { type HeldJob, stillHeldWords } from "../language/still-held.ts";
import { useSay } from "../ui/overlays/toast.tsx";
import { minuteTime } from "../ui/text/format.ts";
import { request } from "./client.ts";
import { countOf, firstOf, type Meant, type Named, namesOf } from "./meant.ts";

/** From so many jobs on, people are told that the farm is at it. */
const manyJobs = 500;

type More = {
  readonly priority?: number;
  readonly priority_step?: number;
  readonly start_after?: string | null;
  readonly note?: string;
};

type Doing = {
  /** `job`: the only one's id. */
  readonly done: (count: number, job: string, more: More) => string;
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
    done: (count, job, { priority, priority_step: step }) =>
      step === undefined
        ? plural(count, { 1: `Job ${job} is at priority ${priority}.`, other: `# jobs are at priority ${priority}.` })
        : plural(count, {
            1: `The priority of job ${job} is changed by ${signed(step)}.`,
            other: `The priority of # jobs is changed by ${signed(step)}.`,
          }),
    failed: (count, job) => plural(count, { 1: `Job ${job} not changed`, other: "# jobs not changed" }),
  },
  schedule: {
    done: (count, job, { start_after: at }) => {
      if (!at) return plural(count, { 1: `Job ${job} may start now.`, other: "# jobs may start now." });
      const time = minuteTime(Date.parse(at));
      return plural(count, { 1: `Job ${job} will start after ${time}.`, other: `# jobs will start after ${time}.` });
    },
    failed: (count, job) =>
      plural(count, { 1: `Start of job ${job} not changed`, other: "Start of # jobs not changed" }),
  },
  delete: {
    done: (count, job) => plural(count, { 1: `Job ${job} is deleted.`, other: "# jobs are deleted." }),
    failed: (count, job) => plural(count, { 1: `Job ${job} not deleted`, other: "# jobs not deleted" }),
  },
};

const signed = (step: number): string => (step > 0 ? `+${step}` : `−${-step}`);

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

/** One action on some jobs, told once: how many succeeded, why the others did not, and Undo where it can be taken back. */
const changeJobs =
  (needs: Needs) =>
  async (action: JobAction, meant: Meant, more: More = {}): Promise<void> => {
    const { say, attempt, readAgain } = needs;
    const { done, failed } = doings[action];
    const count = countOf(meant);
    const stopSaying = count >= manyJobs ? say(plural(count, { other: "# jobs are being changed…" })) : undefined;
    await attempt(failed(count, firstOf(meant)), async () => {
      const { items, undo } = await request("changeJobs", { action, ...namesOf(meant), ...more }).finally(stopSaying);
      const told = (good: readonly Named[]) => done(good.length, good[0]?.id ?? "", more);
      const stillHeld = items.flatMap(({ id, held }) => (held ? [{ id, held }] : []));
      if (stillHeld.length > 0) sayHeld(needs, resultOf(items, told), stillHeld);
      else say(resultOf(items, told), undo === undefined ? undefined : () => void takeBack(needs, undo));
    });
    readAgain();
  };

/** Says that jobs start nothing although they were retried, and offers to resume them. */
const sayHeld = (needs: Needs, done: string, held: readonly HeldJob[]): void => {
  const resume = () => void changeJobs(needs)("resume", held);
  needs.say(`${done} ${stillHeldWords(held)}`, resume, t`Resume`);
};

const takeBack = async ({ say, attempt, readAgain }: Needs, undo: string): Promise<void> => {
  await attempt(t`Not undone`, async () => {
    const { items } = await request("undoJobs", { undo });
    const told = (good: readonly Named[]) =>
      plural(good.length, {
        1: `Job ${good[0]?.id ?? ""} is as it was before.`,
        other: "# jobs are as they were before.",
      });
    say(resultOf(items, told));
  });
  readAgain();
};

const priorityActions = (change: ChangeJobs) => ({
  setPriority: (meant: Meant, wanted: number) => {
    const { lowestPriority, highestPriority } = limits;
    const priority = Math.max(lowestPriority, Math.min(highestPriority, Math.round(wanted)));
    if (Number.isFinite(priority)) void change("priority", meant, { priority });
  },
  addPriority: (meant: Meant, step: number) => void change("priority", meant, { priority_step: step }),
});

const jobActions = (needs: Needs, change: ChangeJobs) => ({
  stop: (meant: Meant, note?: string) => change("stop", meant, note ? { note } : {}),
  hold: (meant: Meant, isPaused: boolean, note?: string) =>
    change(isPaused ? "resume" : "pause", meant, note ? { note } : {}),
  /** Deletes once the text that offers to undo it is gone; returns at once. */
  remove: (meant: Meant): void => {
    const { say, queries } = needs;
    const send = () => {
      if (!("matching" in meant)) for (const { id } of meant) queries.removeQueries({ queryKey: ["job", id] });
      void change("delete", meant);
    };
    const told = plural(countOf(meant), {
      1: `Job ${firstOf(meant)} will be deleted.`,
      other: "# jobs will be deleted.",
    });
    say(told, () => {}, undefined, send); // nothing was sent, so there is nothing to take back
  },
  startAfter: (meant: Meant, at: Date | null) => change("schedule", meant, { start_after: at?.toISOString() ?? null }),
  /** The whole job, including what succeeded. */
  retryAll: async (job: Named) => {
    const act = () => request("retryJob", { job_id: job.id, scope: "all" });
    await retry(needs, act, {
      done: t`Job ${job.id} runs again from its beginning.`,
      failed: t`It was not started again`,
    });
  },
});

const taskActions = (needs: Needs) => ({
  retryTask: async (taskId: string, replan?: boolean) => {
    const act = () => request("retryTask", { task_id: taskId, ...(replan === undefined ? {} : { replan }) });
    await retry(needs, act, { done: t`Queued again.`, failed: t`It was not retried` });
  },
});

const retry = async (
  needs: Needs,
  act: () => Promise<UiAnswer<"retryJob">>,
  { done, failed }: { readonly done: string; readonly failed: string },
): Promise<void> => {
  await needs.attempt(failed, async () => {
    const { id, held } = await act();
    if (held) sayHeld(needs, done, [{ id, held }]);
    else needs.say(done);
  });
  needs.readAgain();
};

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
