import { t } from "@lingui/core/macro";
import type { Explanation, Reason } from "../../../shared/api/explain.ts";
import { allOf } from "../../ui/text/format.ts";

/** One question to all remaining nodes, and the nodes that it drops. */
export type SieveStep = {
  readonly word: string;
  /** Remaining nodes. */
  readonly count: number;
  readonly dropped: readonly { readonly node_id: string; readonly name: string; readonly why: string }[];
};

const questions: readonly (readonly [word: string, drops: readonly Reason[]])[] = [
  [t`are connected`, ["offline"]],
  [t`take new work`, ["node_paused", "node_draining", "quarantined", "on_probation"]],
  [t`fit its tags`, ["missing_tag", "mandatory_tag"]],
  [t`can do it`, ["missing_capability"]],
  [t`are large enough`, ["too_small"]],
  [t`have not failed it`, ["avoided"]],
  [t`have room now`, ["no_slot", "no_light_slot", "no_room", "reserved"]],
];

const roomReasons: readonly Reason[] = questions.at(-1)?.[1] ?? [];

/** All nodes, one question at a time: the first question that leaves none explains why the task waits. */
export const buildSieve = ({ nodes, node_count }: Pick<Explanation, "nodes" | "node_count">): SieveStep[] => {
  const steps: SieveStep[] = [{ word: t`in the farm`, count: node_count, dropped: [] }];
  const known = new Set<Reason>(questions.flatMap(([, drops]) => drops));
  let left = nodes;
  for (const [word, drops] of questions) {
    const isLast = drops === questions.at(-1)?.[1];
    const isDropped = (reason: Reason) => drops.includes(reason) || (isLast && !known.has(reason));
    const dropped = left.flatMap(({ node_id, name, reasons }) => {
      const found = reasons.find(({ reason }) => isDropped(reason));
      return found ? [{ node_id, name, why: found.message }] : [];
    });
    const gone = new Set(dropped.map(({ node_id }) => node_id));
    left = left.filter(({ node_id }) => !gone.has(node_id));
    steps.push({ word, count: left.length, dropped });
  }
  return steps;
};

/** How many reasons, and nodes of each, are named. */
const [mostReasons, mostNames] = [4, 6];

/** Why nodes drop out, the most frequent reason first: "All of its slots are taken: rack-01, rack-02 and 17 more". */
export const droppedWords = (dropped: SieveStep["dropped"]): readonly string[] => {
  const groups = [...Map.groupBy(dropped, ({ why }) => why)].sort(([, a], [, b]) => b.length - a.length);
  const shown = groups.slice(0, mostReasons).map(([why, nodes]) => {
    const names = nodes.slice(0, mostNames).map(({ name }) => name);
    const others = nodes.length - names.length;
    return `${why}: ${allOf(others > 0 ? [...names, t`${others} more`] : names)}`;
  });
  const left = groups.slice(mostReasons).reduce((sum, [, nodes]) => sum + nodes.length, 0);
  return left > 0 ? [...shown, t`and ${left} more`] : shown;
};

/** Whether its turn decides: some node would take it, or would if it had room. */
export const isItsTurn = ({ nodes }: Pick<Explanation, "nodes">): boolean =>
  nodes.length === 0 || nodes.some(({ reasons }) => reasons.every(({ reason }) => roomReasons.includes(reason)));

/** Nodes that lack nothing but their connection: the task starts there once they are back. */
export const onlyAway = ({ nodes }: Pick<Explanation, "nodes">) =>
  nodes.filter(({ reasons }) => reasons.length > 0 && reasons.every(({ reason }) => reason === "offline"));

/** The first condition that does not hold; its turn is none where no node could take it anyway. */
export const decidingCheck = (found: Pick<Explanation, "reasons" | "nodes">) =>
  listChecks(found).find(({ fault, isTurn }) => fault !== undefined && (!isTurn || isItsTurn(found)));

type Check = { readonly word: string; readonly fault: string | undefined; readonly isTurn?: true };

/** Conditions that apply on every node, as a checklist. */
export const listChecks = ({ reasons }: Pick<Explanation, "reasons">): readonly Check[] => {
  const found = (...wanted: Reason[]) => reasons.find(({ reason }) => wanted.includes(reason))?.message;
  return [
    { word: t`Not paused`, fault: found("job_paused") },
    { word: t`Start time`, fault: found("job_scheduled") },
    { word: t`Retry delay`, fault: found("retry_delay", "stopped_grant") },
    { word: t`Limits`, fault: found("limit") },
    { word: t`Its turn`, fault: found("ahead"), isTurn: true },
    { word: t`A node can do it`, fault: found("no_nodes", "nobody_can") },
  ];
};
