import type { Ending } from "../../shared/model/attempt.ts";
import { causes } from "../../shared/model/failure.ts";
import type { OpenTask } from "../schedule/open-task.ts";
import { afterEnding, avoidedBy, type NodeReputation, unknownReputation } from "./health-rules.ts";

/** Failures that count against nodes, in memory: per job, and for the whole farm. */
export type HealthRecord = ReturnType<typeof createHealthRecord>;

export const createHealthRecord = () => {
  const failures = new Map<number, readonly Ending[]>();
  const reputations = new Map<number, NodeReputation>();

  const noteForJob = (ending: Ending): void => {
    const { jobId, cause } = ending;
    if (cause === undefined || causes[cause].where === "anywhere") return;
    failures.set(jobId, [...(failures.get(jobId) ?? []), ending]);
  };
  const noteForNode = (ending: Ending): void => {
    reputations.set(ending.nodeId, afterEnding(reputations.get(ending.nodeId) ?? unknownReputation, ending));
  };

  return {
    noteForJob,
    noteForNode,
    /** Returns its undo. */
    note: (ending: Ending): (() => void) => {
      const { jobId, nodeId } = ending;
      const [ofJob, ofNode] = [failures.get(jobId), reputations.get(nodeId)];
      noteForNode(ending);
      noteForJob(ending);
      return () => {
        putBack(failures, jobId, ofJob);
        putBack(reputations, nodeId, ofNode);
      };
    },
    avoidedBy: (jobId: number, taskId: number): readonly number[] => {
      const known = failures.get(jobId);
      return known ? avoidedBy(taskId, known) : [];
    },
    hasFailures: (jobId: number): boolean => failures.has(jobId),
    forgetJob: (jobId: number): void => {
      failures.delete(jobId);
    },
    /** Earlier failures no longer count against the node. Returns the undo. */
    forgetNode: (nodeId: number): (() => void) => {
      const before = reputations.get(nodeId);
      reputations.delete(nodeId);
      return () => putBack(reputations, nodeId, before);
    },
    reputation: (nodeId: number): NodeReputation => reputations.get(nodeId) ?? unknownReputation,
  };
};

/** Adds the nodes that the task avoids. */
export const withAvoided = (blame: Pick<HealthRecord, "avoidedBy">, task: OpenTask): OpenTask => {
  const avoids = blame.avoidedBy(task.jobId, task.id);
  return avoids.length > 0 ? { ...task, avoids } : task;
};

const putBack = <T>(map: Map<number, T>, id: number, before: T | undefined): void => {
  if (before === undefined) map.delete(id);
  else map.set(id, before);
};
