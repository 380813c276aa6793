import type { Obstacle, Reason, SummaryPart } from "../../shared/api/explain.ts";

/** What holds so many nodes back, for the reasons that many nodes share. */
const together: Readonly<Partial<Record<Reason, (count: number, data: Obstacle["data"]) => string>>> = {
  no_slot: (count, { wanted }) =>
    wanted === 1 ? `all slots on ${nodes(count)} are busy` : `${nodes(count)} ${have(count)} too few free slots`,
  no_light_slot: (count) => `all slots for light tasks on ${nodes(count)} are busy`,
  offline: (count) => `${nodes(count)} ${are(count)} not connected`,
  owner: (count) => `${nodes(count)} ${are(count)} not lent`,
  node_paused: (count) => `${nodes(count)} ${are(count)} paused`,
  node_draining: (count) => `${nodes(count)} ${are(count)} draining`,
  quarantined: (count) => `${nodes(count)} ${are(count)} quarantined`,
  missing_tag: (count, { tag }) => `${nodes(count)} ${have(count)} no tag "${tag}"`,
  missing_capability: (count, { capability }) => `${nodes(count)} ${have(count)} no ${capability}`,
};

const nodes = (count: number): string => (count === 1 ? "1 node" : `${count} nodes`);
const are = (count: number): string => (count === 1 ? "is" : "are");
const have = (count: number): string => (count === 1 ? "has" : "have");

const mostParts = 4;

/** Busy nodes pass by themselves, so they come first; the others by their number. */
const isBusy = ({ reason }: Pick<Obstacle, "reason">): boolean => reason === "no_slot" || reason === "no_light_slot";

/** Why no node takes a task, from the first obstacle of each; undefined: the node could take it. Without a full stop. */
export const describeNodes = (obstacles: readonly (Obstacle | undefined)[]): string => {
  const parts = groupsOf(obstacles).map(([first, count]) =>
    first ? wordsOf(first, count) : `${nodes(count)} could take it now`,
  );
  const words = parts.join("; ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The same as data; empty if a node could take it. */
export const partsOfNodes = (obstacles: readonly (Obstacle | undefined)[]): SummaryPart[] => {
  const parts = groupsOf(obstacles).flatMap(([first, count]) => (first ? [{ ...first, nodes: count }] : []));
  return parts.length === groupsOf(obstacles).length ? parts : [];
};

/** Nodes that the same holds back, by their number: the most telling groups. */
const groupsOf = (obstacles: readonly (Obstacle | undefined)[]): [Obstacle | undefined, number][] =>
  [...Map.groupBy(obstacles, (each) => (each ? wordsOf(each, 2) : "")).values()]
    .toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)) || b.length - a.length)
    .slice(0, mostParts)
    .map((group) => [group[0], group.length]);

const isFirst = ([obstacle]: readonly (Obstacle | undefined)[]): boolean => obstacle !== undefined && isBusy(obstacle);

const wordsOf = ({ reason, message, data }: Obstacle, count: number): string =>
  together[reason]?.(count, data) ?? `${nodes(count)}: ${message}`;
