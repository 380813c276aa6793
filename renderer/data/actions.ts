import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { messageOf } from "../../shared/errors.ts";
import type { JobInfo } from "../../shared/job-info.ts";
import type { Node } from "../../shared/node.ts";
import type { NodeState } from "../../shared/state/node.ts";
import { useSay } from "../ui/toast.tsx";
import { request } from "./client.ts";

const lowest = 1;
const highest = 254;

/** What people do to jobs and nodes: at once, with Undo where it can be taken back; what was refused is said. */
export const useActions = () => {
  const say = useSay();
  const queries = useQueryClient();
  return useMemo(() => {
    const attempt = async (what: string, act: () => Promise<unknown>): Promise<boolean> => {
      try {
        await act();
        return true;
      } catch (problem) {
        say(`${what}: ${messageOf(problem)}`);
        return false;
      }
    };
    const setPriority = async (job: Pick<JobInfo, "id">, priority: number) =>
      attempt("Priority was not changed", async () => {
        await request("updateJob", { job_id: job.id, priority });
      });
    const setState = (node: Pick<Node, "id" | "name">, state: NodeState) =>
      attempt(`${node.name} was not changed`, () => request("updateNode", { node_id: node.id, state }));

    return {
      addPriority: async (job: Pick<JobInfo, "id" | "priority">, step: number) => {
        const wanted = Math.max(lowest, Math.min(highest, job.priority + step));
        if (wanted === job.priority) return say(`Priority is between ${lowest} and ${highest}.`);
        if (await setPriority(job, wanted))
          say(`Job ${job.id} now has priority ${wanted}.`, () => void setPriority(job, job.priority));
      },
      stop: (job: Pick<JobInfo, "id">) =>
        attempt(`Job ${job.id} was not stopped`, () => request("stopJob", { job_id: job.id })),
      hold: (job: Pick<JobInfo, "id">, isHeld: boolean) =>
        attempt(`Job ${job.id} was not changed`, () => request(isHeld ? "resumeJob" : "pauseJob", { job_id: job.id })),
      remove: async (job: Pick<JobInfo, "id">) => {
        const isDone = await attempt(`Job ${job.id} was not deleted`, () => request("deleteJob", { job_id: job.id }));
        if (isDone) queries.removeQueries({ queryKey: ["job", job.id] });
        return isDone;
      },
      revokeNode: async (node: Pick<Node, "id" | "name">) => {
        const act = () => request("revokeNode", { node_id: node.id });
        const isDone = await attempt(`${node.name} was not revoked`, act);
        if (isDone) say(`${node.name} is revoked.`);
        return isDone;
      },
      setNode: async (node: Pick<Node, "id" | "name" | "state">, state: NodeState) => {
        const words = { active: "takes work again", drain: "drains: it ends what runs", paused: "is paused" } as const;
        if (await setState(node, state)) say(`${node.name} ${words[state]}.`, () => void setState(node, node.state));
      },
    };
  }, [say, queries]);
};
