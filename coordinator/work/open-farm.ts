import { apiTestNeed } from "../../shared/api-test.ts";
import { type Checkpoint, passThrough } from "../checkpoint.ts";
import { createBlameBook } from "../memory/blame-book.ts";
import { createCommitter } from "../memory/committer.ts";
import { createEventBus } from "../memory/events.ts";
import { effortOf, jobValueOf } from "../memory/job-value.ts";
import { createLoader } from "../memory/loader.ts";
import { createNodeAsks } from "../memory/node-asks.ts";
import { heldOf } from "../memory/node-entry.ts";
import { createProgressBoard } from "../memory/progress.ts";
import { createRegistry } from "../memory/registry.ts";
import { createTails } from "../memory/tails.ts";
import { createValues } from "../memory/values.ts";
import { createWaits } from "../memory/waits.ts";
import { createWhereabouts } from "../memory/whereabouts.ts";
import { createReadyIndex } from "../schedule/ready.ts";
import type { OpenTaskRow, Recalled } from "../store/store.ts";
import { advance } from "./advance.ts";
import { announce } from "./announce.ts";
import { simulatedTask } from "./api-test.ts";
import { assignReady } from "./assign.ts";
import { createBeginnings } from "./begin.ts";
import { recallBlame } from "./blame.ts";
import { bindEntries } from "./credentials.ts";
import { recallDowntimes } from "./downtimes.ts";
import type { Farm } from "./farm.ts";
import { createInTurn } from "./in-turn.ts";
import { dueOf } from "./overdue.ts";
import { followChanges, placeOpenTask } from "./place.ts";
import { createSweeper } from "./sweeper.ts";

type Given = Pick<Farm, "config" | "clock" | "random" | "log" | "store" | "vault" | "epoch">;
type Outside = { readonly checkpoint?: Checkpoint; readonly fenced?: () => void };

/** The number of last attempts by which nodes are judged at the start. */
const remembered = 10_000;

/** Restores the farm from the store: open tasks into their lists, open attempts to their nodes, jobs onto the board. */
export const openFarm = async ({ fenced = () => undefined, ...parts }: Given & Outside): Promise<Farm> => {
  const values = createValues();
  const inTurn = createInTurn(parts.clock);
  const committer = createCommitter({
    store: parts.store,
    load: createLoader(parts.store.load, values, inTurn),
    values,
    epoch: parts.epoch,
    clock: parts.clock,
    complete: (draft) => {
      for (const jobId of draft.touched) advance(farm, draft, jobId);
      announce(farm, draft);
    },
    follow: (changes) => followChanges(farm, changes),
    fill: () => {
      assignReady(farm);
      return farm.beginnings.begin();
    },
    handOut: () => assignReady(farm),
    fenced: (problem) => {
      parts.log.fatal({ err: problem }, "another coordinator leads: this one exits");
      fenced();
    },
  });
  const registry = createRegistry(parts.config, (name) => values.groups.get(name));
  const downtimes = await recallDowntimes(parts.store);
  // Parts that use the whole farm come last.
  const farm: Farm = {
    checkpoint: passThrough,
    ...parts,
    ...committer,
    values,
    registry,
    ready: createReadyIndex(),
    delayed: new Map(),
    waits: createWaits(),
    whereabouts: createWhereabouts(),
    watches: new Map(),
    simulated: new Map(),
    held: new Map(),
    credentials: new Map(),
    inTurn,
    blame: createBlameBook(),
    progress: createProgressBoard((jobId, taskId) => {
      const value = values.peekJob(jobId);
      const task = value?.tasks.get(taskId);
      return value && task ? effortOf(value, task) : 0;
    }, parts.clock.steady),
    downtimes,
    events: createEventBus(parts.epoch),
    tails: createTails({ ...parts, send: registry.send }),
    asks: createNodeAsks({ ...parts, send: registry.send }),
    get beginnings() {
      return beginnings;
    },
    get sweeper() {
      return sweeper;
    },
  };
  const beginnings = createBeginnings(farm);
  const sweeper = createSweeper(farm);
  await recall(farm);
  return farm;
};

const recall = async (farm: Farm): Promise<void> => {
  const recalled = await farm.store.recall(remembered);
  farm.registry.mount(await farm.store.mounts.all());
  recallRows(farm, recalled);
  for (const row of await farm.store.credentials.all()) farm.credentials.set(row.name, row);
  bindEntries(farm);
  farm.ready.recallTurns(recalled.turns);
  recallBlame(farm, recalled);
  const scripts = await scriptsOf(farm, recalled.tasks);
  for (const task of recalled.tasks) {
    placeOpenTask(farm, { ...task, avoids: [] }, () =>
      simulatedTask(scripts.get(task.jobId)?.specs.get(task.elementUid), { ...task, avoids: [] }, task.retryNr),
    );
  }
  const open = new Map(recalled.tasks.map((task) => [task.id, task]));
  for (const attempt of recalled.attempts) {
    const task = open.get(attempt.task_id);
    if (task) farm.registry.hold(attempt.node_id, heldOf(attempt, task, dueOf(farm, task.kind)));
  }
  await Promise.all(recalled.active.map((id) => farm.change([id], (draft) => draft.touch(id))));
  await farm.beginnings.refill();
  farm.wake();
};

const recallRows = ({ values, registry, clock, held }: Farm, recalled: Recalled): void => {
  Object.assign(values.counters, recalled.counters);
  for (const group of recalled.groups) values.groups.set(group.name, group);
  for (const limit of recalled.limits) values.limits.set(limit.tag, limit);
  for (const node of recalled.nodes) {
    values.nodes.set(node.id, node);
    if (node.revoked === null) registry.put(node, clock.monotonic());
  }
  for (const attempt of recalled.attempts) values.attempts.set(attempt.counter, attempt);
  for (const [jobId, schedule] of recalled.held) held.set(jobId, schedule);
};

/** The jobs of simulated tasks, whose elements hold the scripts. */
const scriptsOf = async ({ store }: Farm, tasks: readonly OpenTaskRow[]) => {
  const jobIds = new Set(tasks.filter(({ requires }) => requires.includes(apiTestNeed)).map(({ jobId }) => jobId));
  const jobs = await Promise.all(
    [...jobIds].map(async (id) => [id, jobValueOf(id, await store.load.job(id))] as const),
  );
  return new Map(jobs);
};
