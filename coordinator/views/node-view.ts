import type { NodePace, NodeUse, Timeline, TimelineBar, UiNode } from "../../shared/api/node-view.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { redactText } from "../../shared/credentials/redact.ts";
import { isoTime } from "../iso-time.ts";
import { buildNodeInfo } from "../nodes/node-info.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { comparePaces, machineKind } from "../nodes/paces.ts";
import { mostAttempts, type RecentAttempt } from "../store/recent-attempts.ts";
import { lanesOf } from "./attempt-reports.ts";
import { toAuditEntry } from "./audit.ts";
import { kept, type TimedSample } from "./estimates.ts";
import { costOf } from "./eta.ts";

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const mostBars = 5000;

/** One node with its capabilities, its last day, and the actions on it. */
export const nodeView = async (
  farm: Pick<Nodes, "clock" | "progress" | "store" | "registry">,
  nodeId: number,
): Promise<UiNode> => {
  const row = farm.registry.row(nodeId);
  if (!row) throw new AppError("NOT_FOUND", `There is no node ${nodeId}`);
  const [attempts, actions] = await Promise.all([
    farm.store.recentAttempts.since(farm.clock.now() - dayMs, nodeId),
    farm.store.audit.list({ nodeId }, 100),
  ]);
  const failed = attempts.filter(({ state }) => state === "failed");
  return {
    node: buildNodeInfo(farm, row),
    capabilities: [...row.profile.tools.capabilities].sort(),
    history: actions.map(toAuditEntry),
    done: attempts.filter(({ state }) => state === "published").length,
    failed: failed.length,
    failures: failed
      .slice(-20)
      .reverse()
      .map(({ task_id, job_id, name, ended, message }) => ({
        task_id: String(task_id),
        job_id: String(job_id),
        name,
        at: isoTime(ended ?? 0),
        message: redactText(message ?? ""),
      })),
  };
};

const pacesMs = 10_000;

/** How fast nodes are, what failed on them within a day, and for whom they work. */
export const createNodePaces = (
  farm: Pick<Nodes, "clock" | "store" | "registry" | "values">,
  samples: () => Promise<readonly TimedSample[]>,
): (() => Promise<NodePace[]>) =>
  kept(farm, pacesMs, async () => {
    const rows = farm.registry.rows();
    const [timed, attempts] = await Promise.all([samples(), farm.store.recentAttempts.since(farm.clock.now() - dayMs)]);
    const measured = timed.map((sample) => ({ nodeId: sample.node_id, ...costOf(sample) }));
    const paces = comparePaces(measured, new Map(rows.map(({ id, profile }) => [id, machineKind(profile.machine)])));
    const byNode = Map.groupBy(attempts, ({ node_id }) => node_id);
    return rows.map(({ id }) => {
      const pace = paces.get(id);
      const own = byNode.get(id) ?? [];
      return {
        node_id: String(id),
        speed: pace?.speed ?? null,
        kind: pace?.kind ?? null,
        samples: pace?.samples ?? 0,
        done: own.filter(({ state }) => state === "published").length,
        failed: own.filter(({ state }) => state === "failed").length,
        owners: ownersOn(farm, id),
        has: [],
      };
    });
  });

const mostAbilities = 3;

/** With those abilities of each node that contain a text. */
export const withAbilities = (
  { registry }: Pick<Nodes, "registry">,
  paces: readonly NodePace[],
  text: string,
): NodePace[] => {
  const wanted = text.trim().toLowerCase();
  return paces.map((pace) => {
    const known = registry.row(Number(pace.node_id))?.profile.tools.capabilities ?? [];
    const found = wanted === "" ? [] : [...known].filter((each) => each.toLowerCase().includes(wanted));
    return { ...pace, has: found.sort().slice(0, mostAbilities) };
  });
};

const ownersOn = ({ registry, values }: Pick<Nodes, "registry" | "values">, nodeId: number): string[] => {
  const rows = registry.runningOn(nodeId).map(({ jobId }) => values.peekJob(jobId)?.row ?? values.heads.get(jobId));
  return [...new Set(rows.flatMap((row) => row?.owner ?? []))];
};

/** The load of connected nodes, from their last heartbeats. */
export const nodeUses = (farm: Pick<Nodes, "registry">): NodeUse[] =>
  farm.registry.rows().flatMap(({ id }) => {
    const load = farm.registry.isConnected(id) ? farm.registry.standing(id)?.load : undefined;
    if (!load) return [];
    const { cpu, memory, memoryUsed, disk, gpu } = load;
    return {
      node_id: String(id),
      cpu: percentOf(cpu),
      memory: memory > 0 ? percentOf(memoryUsed / memory) : null,
      disk: disk && disk.total > 0 ? percentOf(1 - disk.free / disk.total) : null,
      gpu: gpu === undefined ? null : percentOf(gpu),
    };
  });

const percentOf = (share: number): number => Math.round(100 * Math.max(0, Math.min(1, share)));

/** What each node, or one of them, did in the last hours. */
export const buildTimeline = async (farm: Nodes, hours: number, nodeId: number | undefined): Promise<Timeline> => {
  const now = farm.clock.now();
  const from = now - hours * hourMs;
  const found = await farm.store.recentAttempts.since(from, nodeId);
  const told = found.slice(-mostBars);
  const byNode = Map.groupBy(told, ({ node_id }) => node_id);
  const downtimes = Map.groupBy(farm.downtimes.since(from), (downtime) => downtime.nodeId);
  const rows = farm.registry.rows().filter(({ id }) => nodeId === undefined || id === nodeId);
  return {
    from,
    now,
    is_cut: told.length < found.length || found.length >= mostAttempts,
    nodes: rows.map(({ id }) => ({
      node_id: String(id),
      bars: barsOf(farm, byNode.get(id) ?? [], now),
      downtimes: (downtimes.get(id) ?? []).map(({ nodeId: _, ...downtime }) => downtime),
    })),
  };
};

const barsOf = (farm: Pick<Nodes, "progress">, attempts: readonly RecentAttempt[], now: number): TimelineBar[] => {
  const lanes = lanesOf(attempts);
  return attempts.map(({ task_id, job_id, name, job, state, assigned, ended, message }, index) => {
    const isOpen = ended === null;
    const percent = isOpen ? farm.progress.task(task_id)?.percent : undefined;
    return {
      task_id: String(task_id),
      job_id: String(job_id),
      name,
      job,
      state: isOpen
        ? "running"
        : state === "assigned" || state === "running" || state === "committing"
          ? "lost"
          : state,
      begun: assigned,
      ended,
      expected: percent && percent >= 3 ? now + ((now - assigned) * (100 - percent)) / percent : null,
      lane: lanes[index] ?? 0,
      message: message === null ? null : redactText(message),
    };
  });
};
