import { type Checkpoint, passThrough } from "../checkpoint.ts";
import { fenceOf } from "../db/attempts.ts";
import { createRegistry, heldOf } from "../nodes/registry.ts";
import { createReadyIndex } from "../schedule/ready.ts";
import { createAccepting } from "./accepting.ts";
import { advance, startsAtOnce } from "./advance.ts";
import { applyChanges, foresee, placeOpenTask, readLimits, takeBack } from "./apply.ts";
import { assignReady, assignSoon } from "./assign.ts";
import { createBeginnings } from "./beginnings.ts";
import { createBlameBook, recallBlame } from "./blame.ts";
import { createEventBus } from "./events.ts";
import { type Changes, type Farm, newChanges } from "./farm.ts";
import { noteHeld } from "./hold.ts";
import { dueOf } from "./overdue.ts";
import { createProgressBoard } from "./progress.ts";
import { createTails } from "./tails.ts";

/** The farm as the store remembers it: open tasks in their lists, open attempts with their nodes, jobs on the board. */
export const openFarm = async (
  parts: Pick<Farm, "config" | "clock" | "random" | "log" | "db" | "stores" | "vault" | "epoch"> & {
    readonly checkpoint?: Checkpoint;
  },
): Promise<Farm> => {
  const farm: Farm = {
    checkpoint: passThrough,
    ...parts,
    ready: createReadyIndex(),
    delayed: new Map(),
    pretended: new Map(),
    held: new Map(),
    limits: new Map(),
    accepting: createAccepting(parts.clock),
    registry: createRegistry(parts.config),
    blame: createBlameBook(),
    progress: createProgressBoard(),
    events: createEventBus(parts.epoch),
    tails: createTails({ ...parts, send: (nodeId, message) => farm.registry.send(nodeId, message) }),
    change: (fn) => change(parts.db.commit, fn),
  };
  // Of the transaction that is open: a slot that it frees is given to the next task by the same flush.
  let written: Changes[] = [];
  parts.db.beforeCommit(() => {
    const filled = written;
    written = [];
    if (foresee(farm, filled)) assignReady(farm);
  });
  const inCommit = async <T>(
    commit: Farm["db"]["commit"],
    changes: Changes,
    fn: (changes: Changes) => T,
  ): Promise<T> => {
    try {
      return await commit(() => {
        const value = fn(changes);
        for (const jobId of changes.touchedJobs) advance(farm, changes, jobId);
        written.push(changes);
        return value;
      });
    } catch (problem) {
      written = [];
      takeBack(farm, changes);
      throw problem;
    }
  };
  const change = async <T>(commit: Farm["db"]["commit"], fn: (changes: Changes) => T): Promise<T> => {
    const changes = newChanges();
    const result = await inCommit(commit, changes, fn);
    applyChanges(farm, changes);
    assignSoon(farm);
    beginnings.add(changes.unfinished);
    return result;
  };
  const beginnings = createBeginnings(farm, (fn) => change(parts.db.commitIdle, fn));
  await recall(farm);
  return farm;
};

const recall = async (farm: Farm): Promise<void> => {
  const { stores, registry, clock } = farm;
  for (const row of stores.nodes.all()) registry.put(row, clock.monotonic());
  const open = new Map(stores.openTasks.all().map((task) => [task.id, task]));
  farm.ready.recallTurns(stores.openTasks.turns());
  recallBlame(farm);
  for (const [jobId, schedule] of stores.schedules.held()) noteHeld(farm, jobId, schedule);
  readLimits(farm);
  for (const task of open.values()) placeOpenTask(farm, task);
  for (const attempt of stores.attempts.open()) {
    const task = open.get(attempt.task_id);
    if (!task) continue;
    registry.hold(attempt.node_id, heldOf(fenceOf(attempt), task, dueOf(farm, stores.tasks.get(task.id)?.kind ?? "")));
  }
  await farm.change((changes) => {
    for (const jobId of stores.jobs.active()) changes.touchedJobs.add(jobId);
    for (const jobId of stores.jobs.halfBegun(startsAtOnce)) changes.unfinished.set(jobId, startsAtOnce);
  });
};
