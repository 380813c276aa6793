import type { FarmView } from "../../shared/api/farm-view.ts";
import { ahead } from "../../shared/model/forecast.ts";
import { isoTime } from "../iso-time.ts";
import type { Nodes } from "../nodes/nodes.ts";
import type { Estimates } from "./estimates.ts";

/** This coordinator: its address, version and start time. */
export type Origin = { readonly host: string; readonly version: string; readonly started: number };

export const buildFarmView = async (
  farm: Nodes,
  { host, version, started }: Origin,
  estimates: Pick<Estimates, "empty" | "blocked"> | undefined,
): Promise<FarmView> => {
  const { registry, clock } = farm;
  const jobs = { queued: 0, active: 0, completed: 0, failed: 0 };
  for (const { status, n } of await farm.store.jobs.states({ filters: [] })) jobs[status] += n;
  const nodes = {
    presence: { online: 0, late: 0, lost: 0, off: 0 },
    state: { active: 0, drain: 0, paused: 0, pending: 0 },
  };
  const tasks = { running: 0, ready: farm.ready.size(), blocked: estimates?.blocked ?? null };
  for (const { id, state } of registry.rows()) {
    nodes.presence[registry.presence(id, clock.monotonic())] += 1;
    nodes.state[state] += 1;
    tasks.running += registry.runningOn(id).length;
  }
  const empty = estimates?.empty ? ahead(estimates.empty, clock.now()) : null;
  const [began, now] = [isoTime(started), isoTime(clock.now())];
  return { host, version, epoch: farm.epoch, started: began, now, jobs, nodes, tasks, empty };
};
