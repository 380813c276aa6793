import { type Explanation, nearText, type Obstacle, obstacleOf, type SummaryPart } from "../../shared/api/explain.ts";
import { type Reach, reaches } from "../../shared/rights/reach.ts";
import { isFinal } from "../../shared/state/machine.ts";
import { taskMachine } from "../../shared/state/task.ts";
import { grantWaitUntil } from "../attempts/grants.ts";
import { toOpenTask } from "../attempts/indexes.ts";
import { isSimulated } from "../attempts/simulated-tasks.ts";
import { isoTime } from "../iso-time.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { fullTags } from "../nodes/compute-groups.ts";
import { withAvoided } from "../nodes/health/health-record.ts";
import { mayStillPublish, publisherWaitMs, stoppedPublisher } from "../nodes/stopped-grants.ts";
import { closeInputs } from "../schedule/locality.ts";
import { needsKey } from "../schedule/needs.ts";
import type { NodeFacts, Offer } from "../schedule/node-facts.ts";
import { couldRun, describeMissing, findObstacles } from "../schedule/obstacles.ts";
import type { OpenTask } from "../schedule/open-task.ts";
import { goesBefore, type Position, rankOf } from "../schedule/order.ts";
import type { WaitingTask } from "../schedule/polls.ts";
import type { ReadTask as TaskRow } from "../store/job-reads.ts";
import { describeNodes, partsOfNodes } from "./explain-nodes.ts";
import { ownerOfJob } from "./reached.ts";

/** The number of nodes in an explanation; the farm may have thousands. */
const mostNodes = 500;
/** At most this many ready tasks are compared with the explained one. */
const mostAhead = 100_000;

/**
 * Explains why a task does not run: the reasons that apply everywhere, and the reasons for each node. Of tasks that somebody
 * does not reach it is only said that there are some.
 */
export const explain = (farm: Jobs, row: TaskRow, reach: Reach): Explanation => {
  const reasons = [...stateReasons(farm, row), ...jobReasons(farm, row)];
  const isAwaited = grantWaitUntil(farm, row) !== undefined;
  const isWaiting = row.state === "ready" || row.state === "delayed" || isAwaited;
  const about = { task_id: String(row.id), job_id: String(row.job_id), name: row.name, is_waiting: isWaiting };
  const candidates = farm.registry.candidates(farm.clock.wallOf);
  const node_count = candidates.length;
  if (!isWaiting || isAwaited || isSimulated(row))
    return {
      ...about,
      summary: sentencesOf(reasons),
      summary_parts: everywhere(reasons),
      reasons,
      node_count,
      nodes: [],
    };
  const needs = withAvoided(farm.health, toOpenTask(row, row));
  const position: Position = farm.ready.find(row.id)?.position ?? newcomer(needs);
  const situation = { full: fullTags(farm), hasOthers: farm.registry.hasOthers };
  const nodes = candidates
    .map((candidate) => ({
      node_id: String(candidate.offer.node.id),
      name: candidate.name,
      could: couldRun(candidate, needs),
      reasons: findObstacles(candidate, { key: needsKey(needs), needs, position }, situation).map((each) =>
        each.reason === "reserved" && !reachesReserving(farm, reach, candidate.offer)
          ? obstacleOf("reserved", { task: "" })
          : each,
      ),
      ...nearOf(farm, candidate.offer.node, position.task),
    }))
    .sort((a, b) => Number(b.could) - Number(a.could) || a.reasons.length - b.reasons.length);
  const all = [...reasons, ...limitReasons(farm, needs.tags), ...farmReasons(farm, row, nodes, position)];
  const told = nodes.slice(0, mostNodes).map(({ could, ...node }) => node);
  const summary_parts = partsOf(all, nodes);
  return { ...about, summary: summaryOf(all, nodes), summary_parts, reasons: all, node_count, nodes: told };
};

const nearOf = ({ fileLocations }: Jobs, node: NodeFacts, task: OpenTask): { readonly near?: string } => {
  const close = closeInputs(node, task, fileLocations.of);
  return close > 0 ? { near: nearText(close, task.inputs?.length ?? 0) } : {};
};

/** Whether the task is theirs that the node is kept free for. */
const reachesReserving = (farm: Jobs, reach: Reach, { reservation }: Offer): boolean =>
  reaches(reach, reservation && ownerOfJob(farm, reservation.jobId));

const newcomer = (task: Position["task"]): Position => ({
  task,
  group: { rank: rankOf(task.priority, 0, task.jobId) },
});

const stateReasons = (farm: Jobs, row: TaskRow): Obstacle[] => {
  const { id, state, node_id, ready_time } = row;
  if (isFinal(taskMachine, state)) return [obstacleOf("ended", { state })];
  const stopped = stoppedPublisher(row);
  if (stopped !== undefined && mayStillPublish(farm, stopped)) return [stoppedGrantReason(farm, stopped)];
  if (state === "delayed") return [obstacleOf("retry_delay", { until: isoTime(farm.clock.wallOf(ready_time)) })];
  if (isSimulated(row)) return [obstacleOf("scripted")];
  if (state === "ready" && row.awaits) return [awaitsReason(farm, { id, readyTime: ready_time, awaits: row.awaits })];
  if (state === "ready") return [];
  const node = node_id === null ? undefined : farm.registry.row(node_id)?.profile.name;
  const until = grantWaitUntil(farm, row);
  if (until !== undefined && node)
    return [obstacleOf("grant_wait", { node, until: isoTime(farm.clock.wallOf(until)) })];
  return [obstacleOf("running", { node: node ?? "a deleted node" })];
};

const stoppedGrantReason = (farm: Jobs, nodeId: number): Obstacle => {
  const until = isoTime(farm.clock.now() + publisherWaitMs(farm, nodeId));
  return obstacleOf("stopped_grant", { node: farm.registry.row(nodeId)?.profile.name ?? "a deleted node", until });
};

/** What a task waits for outside the farm. */
export const awaitsReason = (farm: Pick<Jobs, "clock" | "polls">, { id, readyTime, awaits }: Waiting): Obstacle => {
  const wait = farm.polls.get(id);
  const at = (moment: number) => isoTime(farm.clock.wallOf(moment));
  const isDue = !wait || wait.next <= farm.clock.steady();
  const [why, next] = [wait?.why ?? "nobody has looked yet", isDue ? "due" : `at ${at(wait.next)}`];
  if (awaits.what === "folder") return obstacleOf("watches", { folder: awaits.uri, why, next });
  const [since, until] = [at(readyTime), at(readyTime + awaits.sec * 1000)];
  return obstacleOf("awaits", { why, since, next, until });
};

type Waiting = Pick<WaitingTask, "id" | "readyTime" | "awaits">;

const jobReasons = (farm: Pick<Jobs, "pausedJobs">, { job_id }: TaskRow): Obstacle[] => {
  const held = farm.pausedJobs.get(job_id);
  if (!held) return [];
  if (held.paused !== null) return [obstacleOf("job_paused")];
  return held.startAfter === null ? [] : [obstacleOf("job_scheduled", { until: isoTime(held.startAfter) })];
};

const limitReasons = (farm: Pick<Jobs, "values" | "registry">, tags: readonly string[]): Obstacle[] =>
  tags.flatMap((tag) => {
    const most = farm.values.limits.get(tag)?.most;
    const running = farm.registry.countRunning(tag);
    return most !== undefined && running >= most ? [obstacleOf("limit", { tag, most, running })] : [];
  });

type NodeAnswer = { readonly could: boolean; readonly reasons: readonly Obstacle[] };

const farmReasons = (farm: Jobs, row: TaskRow, nodes: readonly NodeAnswer[], position: Position): Obstacle[] => {
  if (nodes.length === 0) return [obstacleOf("no_nodes")];
  if (!nodes.some(({ could }) => could)) {
    const until = isoTime(farm.clock.wallOf(row.ready_time + farm.config.capabilityWaitMs));
    const facts = farm.registry.candidates().map(({ offer }) => offer.node);
    return [obstacleOf("nobody_can", { lacking: describeMissing(facts, position.task), until })];
  }
  const count = farm.ready.find(row.id) ? countAhead(farm, position) : 0;
  return count > 0 ? [obstacleOf("ahead", { count })] : [];
};

const countAhead = (farm: Pick<Jobs, "ready">, position: Position): number => {
  let [seen, ahead] = [0, 0];
  for (const other of farm.ready.tasks()) {
    if (goesBefore(other, position)) ahead += 1;
    seen += 1;
    if (seen >= mostAhead) break;
  }
  return ahead;
};

/** The reasons that apply everywhere; if there are none, the number of nodes for each first reason. */
const summaryOf = (reasons: readonly Obstacle[], nodes: readonly NodeAnswer[]): string => {
  const general = reasons.filter(({ reason }) => reason !== "ahead");
  if (general.length > 0) return sentencesOf(general);
  const [ahead] = reasons;
  const words = describeNodes(nodes.map(({ reasons: [first] }) => first));
  return [`${words}.`, ...(ahead ? [`${ahead.message}.`] : [])].join(" ");
};

const partsOf = (reasons: readonly Obstacle[], nodes: readonly NodeAnswer[]): SummaryPart[] => {
  const general = reasons.filter(({ reason }) => reason !== "ahead");
  if (general.length > 0) return everywhere(general);
  const parts = partsOfNodes(nodes.map(({ reasons: [first] }) => first));
  return parts.length === 0 ? [] : [...parts, ...everywhere(reasons)];
};

const everywhere = (reasons: readonly Obstacle[]): SummaryPart[] => reasons.map((each) => ({ ...each, nodes: 0 }));

const sentencesOf = (reasons: readonly Obstacle[]): string => `${reasons.map(({ message }) => message).join(". ")}.`;
