import { getOrInsert } from "../../../shared/basics/get-or-insert.ts";
import type { Ending } from "../../../shared/model/attempt.ts";
import { causes } from "../../../shared/model/failure.ts";
import type { OpenTask } from "../../schedule/open-task.ts";
import {
  afterBreach,
  afterElsewhere,
  afterEnding,
  afterReturn,
  avoidedBy,
  isOwnFault,
  isTooManyReturns,
  type NodeReputation,
  unknownReputation,
} from "./health-rules.ts";

/** Failures that count against nodes, in memory: per job, and for the whole farm. */
export type HealthRecord = ReturnType<typeof createHealthRecord>;

export const createHealthRecord = () => {
  const failures = new Map<number, readonly Ending[]>();
  const reputations = new Map<number, NodeReputation>();
  const breaches = new Map<number, readonly number[]>();
  const returns = new Map<number, readonly number[]>();
  const deaths = new Map<number, Map<number, Set<number>>>();

  const reputationOf = (nodeId: number): NodeReputation => reputations.get(nodeId) ?? unknownReputation;
  const noteForJob = (ending: Ending): void => {
    const { jobId, cause } = ending;
    if (cause === undefined || causes[cause].where !== "elsewhere") return;
    failures.set(jobId, [...(failures.get(jobId) ?? []), ending]);
  };
  const speaksAgainstTask = (ending: Ending): boolean =>
    ending.cause !== undefined &&
    causes[ending.cause].blamesNode &&
    isOwnFault(ending, failures.get(ending.jobId) ?? []);
  /** Nodes that failed the task which an ending is of. */
  const nodesOf = ({ jobId, taskId }: Ending): number[] =>
    [...reputations].flatMap(([nodeId, { failures: all }]) =>
      all.some((each) => each.jobId === jobId && each.taskId === taskId) ? [nodeId] : [],
    );
  /** None of these nodes is blamed for the task any more. */
  const clearOf = ({ jobId, taskId }: Ending, nodes: readonly number[]): void => {
    for (const id of nodes) {
      const { failures: all, succeeded } = reputationOf(id);
      reputations.set(id, {
        failures: all.filter((each) => each.jobId !== jobId || each.taskId !== taskId),
        succeeded,
      });
    }
  };
  const noteForNode = (ending: Ending, nodes = nodesOf(ending)): void => {
    if (speaksAgainstTask(ending)) {
      clearOf(ending, nodes);
      return;
    }
    if (ending.cause === undefined)
      for (const id of nodes) reputations.set(id, afterElsewhere(reputationOf(id), ending));
    reputations.set(ending.nodeId, afterEnding(reputationOf(ending.nodeId), ending));
  };

  return {
    noteForJob,
    noteForNode,
    speaksAgainstTask,
    /** Returns its undo. */
    note: (ending: Ending): (() => void) => {
      const { jobId, nodeId } = ending;
      const ofJob = failures.get(jobId);
      const nodes = nodesOf(ending);
      const before = new Map([nodeId, ...nodes].map((id) => [id, reputations.get(id)]));
      noteForNode(ending, nodes);
      noteForJob(ending);
      return () => {
        putBack(failures, jobId, ofJob);
        for (const [id, reputation] of before) putBack(reputations, id, reputation);
      };
    },
    avoidedBy: (jobId: number, taskId: number): readonly number[] => {
      const known = failures.get(jobId);
      return known ? avoidedBy(taskId, known) : [];
    },
    hasFailures: (jobId: number): boolean => failures.has(jobId),
    /** The node's agent ended while it ran the task. Returns of how many nodes this is known. */
    noteDeath: ({ jobId, taskId, nodeId }: Pick<Ending, "jobId" | "taskId" | "nodeId">): number => {
      const nodes = getOrInsert(
        getOrInsert(deaths, jobId, () => new Map<number, Set<number>>()),
        taskId,
        () => new Set<number>(),
      );
      return nodes.add(nodeId).size;
    },
    forgetJob: (jobId: number): void => {
      failures.delete(jobId);
      deaths.delete(jobId);
    },
    /** Notes that the node gave a task back; returns whether it does so far more often than an owner comes and goes. */
    noteReturn: (nodeId: number, at: number): boolean => {
      const known = afterReturn(returns.get(nodeId) ?? [], at);
      returns.set(nodeId, known);
      return isTooManyReturns(known);
    },
    /** When the node broke its protocol lately, this time included. */
    noteBreach: (nodeId: number, at: number): readonly number[] => {
      const known = afterBreach(breaches.get(nodeId) ?? [], at);
      breaches.set(nodeId, known);
      return known;
    },
    forgetBreaches: (nodeId: number): void => {
      breaches.delete(nodeId);
      returns.delete(nodeId);
    },
    /** Earlier failures no longer count against the node. Returns the undo. */
    forgetNode: (nodeId: number): (() => void) => {
      breaches.delete(nodeId);
      const before = reputations.get(nodeId);
      reputations.delete(nodeId);
      return () => putBack(reputations, nodeId, before);
    },
    reputation: reputationOf,
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
