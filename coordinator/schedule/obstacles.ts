import { type Obstacle, obstacleOf } from "../../shared/api/explain.ts";
import { entryNeeded } from "../../shared/credentials/vault.ts";
import type { Standing } from "../../shared/lending/lending.ts";
import { resourceKinds, slotsOf } from "../../shared/model/demand.ts";
import type { EnrolledState, NodeHealth } from "../../shared/state/node.ts";
import { isBuildNeed } from "./builds.ts";
import { isKeptFrom, type Situation } from "./choose.ts";
import { canServe, provides } from "./fit.ts";
import { type Needs, noNeeds } from "./needs.ts";
import type { NodeFacts, Offer } from "./node-facts.ts";
import type { Position } from "./order.ts";
import { prefixNeeded } from "./reach.ts";

/** A node as explanations see it: whether it works, and what it could take. */
export type Candidate = {
  readonly name: string;
  readonly isConnected: boolean;
  /** How its owner is not lending it now, and why. */
  readonly owner?: Pick<Standing, "state" | "why"> | undefined;
  readonly state: EnrolledState;
  readonly health: { readonly state: NodeHealth; readonly until: string };
  /** Tasks that it has, or is about to get. */
  readonly busy: number;
  readonly offer: Offer;
};

/** What prevents a node from taking tasks with these needs now; empty if it could take one. */
export const findObstacles = (
  candidate: Candidate,
  { key, needs, position }: { readonly key: string; readonly needs: Needs; readonly position: Position },
  situation: Situation,
): Obstacle[] => {
  const { offer } = candidate;
  const lasting = [...presenceObstacles(candidate), ...lackOf(offer.node, needs)];
  if (lasting.length > 0) return lasting;
  const { reservation } = offer;
  return [
    ...roomObstacles(candidate, needs),
    ...(needs.avoids.includes(offer.node.id) && situation.hasOthers(needs) ? [obstacleOf("avoided")] : []),
    ...(reservation && isKeptFrom(offer, { key, needs }, position)
      ? [obstacleOf("reserved", { task: String(reservation.taskId) })]
      : []),
  ];
};

const presenceObstacles = ({ isConnected, owner, state, health }: Candidate): Obstacle[] => {
  if (state === "pending") return [obstacleOf("node_pending")];
  if (!isConnected) return [obstacleOf("offline")];
  if (owner !== undefined) return [obstacleOf("owner", owner)];
  if (state === "paused") return [obstacleOf("node_paused")];
  if (state === "drain") return [obstacleOf("node_draining")];
  return health.state === "quarantined" ? [obstacleOf("quarantined", { until: health.until })] : [];
};

/** What the node would lack for such tasks even if idle. */
const lackOf = (node: NodeFacts, needs: Needs): Obstacle[] => {
  const { tags, mandatory, capacity } = node;
  return [
    ...needs.tags.filter((tag) => !tags.has(tag)).map((tag) => obstacleOf("missing_tag", { tag })),
    ...mandatory.filter((tag) => !needs.tags.includes(tag)).map((tag) => obstacleOf("mandatory_tag", { tag })),
    ...needs.requires.filter((need) => !provides(node, need)).map(lackOfNeed),
    ...resourceKinds.flatMap((room) => {
      const [wanted, has] = [needs.demand[room] ?? 0, capacity[room] ?? Number.POSITIVE_INFINITY];
      return wanted > has ? [obstacleOf("too_small", { room, wanted, has })] : [];
    }),
  ];
};

const lackOfNeed = (need: string): Obstacle => {
  const prefix = prefixNeeded(need);
  if (prefix !== undefined) return obstacleOf("out_of_reach", { prefix });
  const entry = entryNeeded(need);
  if (entry !== undefined) return obstacleOf("credential_bound", { entry });
  if (isBuildNeed(need)) return obstacleOf("other_build");
  return obstacleOf("missing_capability", { capability: need });
};

/** A need as people read it. */
const wordsOfNeed = (need: string): string => {
  const prefix = prefixNeeded(need);
  if (prefix !== undefined) return `a root or mount that covers ${prefix}`;
  if (isBuildNeed(need)) return "the build of ffmpeg that the other sections are made with";
  const entry = entryNeeded(need);
  return entry === undefined ? need : `the right to use the entry ${entry} of the credentials vault`;
};

const roomObstacles = ({ health, busy, offer: { node, free } }: Candidate, needs: Needs): Obstacle[] => {
  if (health.state === "probation" && busy > 0) return [obstacleOf("on_probation")];
  const wanted = slotsOf(needs.demand, node.capacity);
  const isLight = needs.weight === "light";
  return [
    ...(isLight && free.light <= 0 ? [obstacleOf("no_light_slot")] : []),
    ...(!isLight && free.slots < wanted ? [obstacleOf("no_slot", { wanted, free: free.slots })] : []),
    ...resourceKinds.flatMap((room) => {
      const share = needs.demand[room];
      return share !== undefined && share > free[room]
        ? [obstacleOf("no_room", { room, wanted: share, free: free[room] })]
        : [];
    }),
  ];
};

/** What no node provides, in words; if several nodes provide a part each, all needs together. */
export const describeMissing = (nodes: readonly NodeFacts[], needs: Needs): string => {
  const nobody = (part: Partial<Needs>) =>
    !nodes.some((node) => lackOf(node, { ...empty(node), ...part }).length === 0);
  const lacking = [
    ...needs.requires.filter((each) => nobody({ requires: [each] })).map(wordsOfNeed),
    ...needs.tags.filter((tag) => !nodes.some(({ tags }) => tags.has(tag))).map((tag) => `tag "${tag}"`),
    ...resourceKinds.filter((room) => needs.demand[room] && nobody({ demand: { [room]: needs.demand[room] } })),
  ];
  // What every node has is no part of what none has together.
  const rare = needs.requires.filter((need) => !nodes.every((node) => provides(node, need)));
  const all = [...rare.map(wordsOfNeed), ...needs.tags.map((tag) => `tag "${tag}"`)];
  if (lacking.length > 0) return lacking.join(", ");
  return all.length > 0 ? `${all.join(", ")} together` : "room for it";
};

/** Needs that every node fulfils. */
const empty = ({ mandatory }: NodeFacts): Needs => ({ ...noNeeds, tags: mandatory });

/** Whether it could ever run there; such nodes are listed first. */
export const couldRun = ({ offer }: Candidate, needs: Needs): boolean => canServe(offer.node, needs);
