import { type Checkpoint, passThrough } from "../checkpoint.ts";
import { fenceOf } from "../db/attempts.ts";
import { createRegistry, heldOf } from "../nodes/registry.ts";
import { createReadyIndex } from "../schedule/ready.ts";
import { advance, startsAtOnce } from "./advance.ts";
import { applyChanges, placeOpenTask, readLimits } from "./apply.ts";
import { assignReady } from "./assign.ts";
import { createBlameBook } from "./blame.ts";
import { createEventBus } from "./events.ts";
import { type Farm, newChanges } from "./farm.ts";
import { noteHeld } from "./hold.ts";
import { dueOf } from "./overdue.ts";
import { createProgressBoard } from "./progress.ts";

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
    registry: createRegistry(parts.config),
    blame: createBlameBook(),
    progress: createProgressBoard(),
    events: createEventBus(parts.epoch),
    change: async (fn) => {
      const changes = newChanges();
      const result = await parts.db.commit(() => {
        const value = fn(changes);
        for (const jobId of changes.touchedJobs) advance(farm, changes, jobId);
        return value;
      });
      applyChanges(farm, changes);
      assignReady(farm);
      goOn(changes.unfinished);
      return result;
    },
  };
  const goOn = createGoOn(farm);
  await recall(farm);
  return farm;
};

/** One commit a job, one after the other: whatever else waits for a turn gets it in between. */
const createGoOn = (farm: Farm) => {
  let last: Promise<unknown> = Promise.resolve();
  return (jobIds: Iterable<number>): void => {
    for (const jobId of jobIds) {
      const next = () => farm.change((changes) => changes.touchedJobs.add(jobId));
      last = last.then(next).catch((problem) => farm.log.error({ err: problem, job: jobId }, "a job could not go on"));
    }
  };
};

const recall = async (farm: Farm): Promise<void> => {
  const { stores, registry, clock } = farm;
  for (const row of stores.nodes.all()) registry.put(row, clock.monotonic());
  const open = new Map(stores.openTasks.all().map((task) => [task.id, task]));
  farm.ready.recallTurns(stores.openTasks.turns());
  for (const ending of stores.attempts.failuresOfOpenJobs()) farm.blame.note(ending);
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
    for (const jobId of stores.jobs.halfBegun(startsAtOnce)) changes.touchedJobs.add(jobId);
  });
};
