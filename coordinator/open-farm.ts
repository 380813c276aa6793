import { apiTestNeed } from "../shared/model/api-test.ts";
import { assignReady } from "./attempts/assign.ts";
import { applyToIndexes, indexTask } from "./attempts/indexes.ts";
import { createLiveLogs } from "./attempts/live-logs.ts";
import { deadlineFor } from "./attempts/overdue-attempts.ts";
import { type Checkpoint, passThrough } from "./checkpoint.ts";
import type { Farm } from "./farm.ts";
import { createNodeRequests } from "./files/node-requests.ts";
import { createSweeper } from "./files/sweeper.ts";
import { advance } from "./jobs/advance.ts";
import { createJobStarter } from "./jobs/begin.ts";
import { createJobReader } from "./jobs/job-reader.ts";
import { createRetention } from "./jobs/retention.ts";
import { keepTime } from "./keep-time.ts";
import { createCommitter } from "./kernel/committer.ts";
import { buildJobValue, effortOf } from "./kernel/job-value.ts";
import { createLoader } from "./kernel/loader.ts";
import { createReadiness } from "./kernel/readiness.ts";
import { createTimeSlice, mapInSlices } from "./kernel/time-slice.ts";
import type { Transaction } from "./kernel/transaction.ts";
import { createValues, type MostBytes, type Values } from "./kernel/values.ts";
import { createEventBus } from "./live/event-bus.ts";
import { createLiveProgress, type LiveProgress } from "./live/progress.ts";
import { recallDowntimes } from "./nodes/downtime-watch.ts";
import { createFileLocations } from "./nodes/file-locations.ts";
import { recallHealth } from "./nodes/health/health.ts";
import { createHealthRecord } from "./nodes/health/health-record.ts";
import { parseMounts } from "./nodes/mounts.ts";
import { toRunningAttempt } from "./nodes/node-entry.ts";
import { createRegistry } from "./nodes/registry.ts";
import { createPolls } from "./schedule/polls.ts";
import { createReadyIndex } from "./schedule/ready.ts";
import { takeCredentials } from "./secrets/credentials.ts";
import { followRecords } from "./store/records.ts";
import type { OpenTaskRow, Recalled, Store } from "./store/store.ts";
import { createTrail } from "./trail/trail.ts";
import { publishChanges } from "./views/change-events.ts";

type Given = Pick<Farm, "config" | "clock" | "random" | "log" | "store" | "vault" | "epoch">;
type Outside = {
  readonly checkpoint?: Checkpoint;
  readonly mostBytes?: MostBytes;
  readonly fenced?: () => void;
  /** Adds to a decision what webhooks are told of it. */
  readonly tellOf?: (draft: Transaction, progress: LiveProgress) => void;
};

type Inside = Required<Pick<Outside, "fenced" | "tellOf">> & { readonly mostBytes: MostBytes | undefined };

const nothing = () => undefined;

/** The number of last attempts by which nodes are judged at the start. */
const remembered = 10_000;

/** Restores the farm from the store: open tasks into their lists, open attempts to their nodes, jobs onto the board. */
export const openFarm = async ({
  fenced = nothing,
  tellOf = nothing,
  mostBytes,
  ...given
}: Given & Outside): Promise<Farm> => {
  const { write, isReady, store, storeTrouble } = createReadiness(given);
  const parts = { ...given, store };
  const kernel = {
    ...openKernel({ ...parts, write }, () => farm, { fenced, tellOf, mostBytes }),
    isReady,
    storeTrouble,
  };
  const { values } = kernel;
  const registry = createRegistry(parts.config, (name) => values.groups.get(name));
  const downtimes = await recallDowntimes(parts.store);
  // Parts that use the whole farm come last.
  const farm: Farm = {
    checkpoint: passThrough,
    ...parts,
    ...kernel,
    trail: createTrail({ ...parts, ...kernel }),
    registry,
    ready: createReadyIndex(),
    delayed: new Map(),
    polls: createPolls(),
    fileLocations: createFileLocations(),
    watchedFiles: new Map(),
    simulated: new Map(),
    pausedJobs: new Map(),
    jobReader: createJobReader({ ...parts, ...kernel }),
    retention: createRetention(parts),
    credentials: new Map(),
    refreshRecords: async () => {
      await refreshMounts();
      await refreshCredentials();
    },
    health: createHealthRecord(),
    progress: createLiveProgress(effortIn(values), parts.clock.steady),
    downtimes,
    events: createEventBus(parts.epoch),
    liveLogs: createLiveLogs({ ...parts, send: registry.send }),
    nodeRequests: createNodeRequests({ ...parts, send: registry.send }),
    get jobStarter() {
      return beginnings;
    },
    get sweeper() {
      return sweeper;
    },
  };
  const refreshMounts = followRecords(parts.store, "mounts", (found) => registry.mount(parseMounts(found[0]?.value)));
  const refreshCredentials = followRecords(parts.store, "credential", (found) => takeCredentials(farm, found));
  const beginnings = createJobStarter(farm);
  const sweeper = createSweeper(farm);
  await recall(farm);
  return farm;
};

/** `farm` is whole before anything is decided. */
const openKernel = (parts: Given & Pick<Store, "write">, farm: () => Farm, { fenced, tellOf, mostBytes }: Inside) => {
  const values = createValues(mostBytes);
  const timeSlice = createTimeSlice(parts.clock);
  const committer = createCommitter({
    ...{ values, epoch: parts.epoch, clock: parts.clock, store: { ...parts.store, write: parts.write } },
    load: createLoader({ load: parts.store.load, clock: parts.clock, values, timeSlice }),
    complete: (draft) => {
      for (const jobId of draft.touched) draft.part(() => advance(farm(), draft, jobId));
      tellOf(draft, farm().progress);
      publishChanges(farm(), draft);
    },
    applyToIndexes: (changes) => applyToIndexes(farm(), changes),
    assignAndBegin: () => {
      assignReady(farm());
      return farm().jobStarter.begin();
    },
    assignReady: () => assignReady(farm()),
    fenced: (problem) => {
      parts.log.fatal({ err: problem }, "another coordinator leads: this one exits");
      fenced();
    },
  });
  return { ...committer, values, timeSlice };
};

const effortIn =
  ({ peekJob }: Pick<Values, "peekJob">) =>
  (jobId: number, taskId: number): number => {
    const value = peekJob(jobId);
    const task = value?.tasks.get(taskId);
    return value && task ? effortOf(value, task) : 0;
  };

/** Jobs that go on in one decision: they are read together. */
const touchedAtOnce = 10;

const recall = async (farm: Farm): Promise<void> => {
  // Before anything is due by it: a coordinator may end before its first tick, and the clock be set back then.
  await keepTime(farm);
  const recalled = await farm.store.recall(remembered);
  await farm.refreshRecords();
  recallRows(farm, recalled);
  farm.ready.recallTurns(recalled.turns);
  recallHealth(farm, recalled);
  const scripts = await scriptsOf(farm, recalled.tasks);
  // A large farm has tens of thousands, and the lease must be prolonged meanwhile.
  await mapInSlices(farm.timeSlice, recalled.tasks, (task) =>
    indexTask(farm, { ...task, avoids: [] }, scripts.get(task.jobId)?.specs.get(task.elementUid), task.retryNr),
  );
  const open = new Map(recalled.tasks.map((task) => [task.id, task]));
  for (const attempt of recalled.attempts) {
    const task = open.get(attempt.task_id);
    if (task) farm.registry.addRunning(attempt.node_id, toRunningAttempt(attempt, task, deadlineFor(farm, task.kind)));
  }
  // Paused ones go on when they are resumed: there may be many, and each would be loaded.
  const active = recalled.active.filter((id) => !farm.pausedJobs.has(id));
  const some = Array.from({ length: Math.ceil(active.length / touchedAtOnce) }, (_, nr) =>
    active.slice(nr * touchedAtOnce, (nr + 1) * touchedAtOnce),
  );
  await Promise.all(some.map((ids) => farm.change(ids, (draft) => ids.forEach(draft.touch))));
  await farm.jobStarter.refill();
  farm.wake();
};

const recallRows = ({ values, registry, clock, pausedJobs }: Farm, recalled: Recalled): void => {
  Object.assign(values.counters, recalled.counters);
  for (const group of recalled.groups) values.groups.set(group.name, group);
  for (const limit of recalled.limits) values.limits.set(limit.tag, limit);
  for (const node of recalled.nodes) {
    values.nodes.set(node.id, node);
    if (node.revoked === null) registry.put(node, clock.monotonic());
  }
  for (const attempt of recalled.attempts) values.attempts.set(attempt.counter, attempt);
  for (const [jobId, schedule] of recalled.held) pausedJobs.set(jobId, schedule);
};

/** The jobs of simulated tasks, whose elements hold the scripts. */
const scriptsOf = async ({ store }: Farm, tasks: readonly OpenTaskRow[]) => {
  const jobIds = new Set(tasks.filter(({ requires }) => requires.includes(apiTestNeed)).map(({ jobId }) => jobId));
  const jobs = await Promise.all(
    [...jobIds].map(async (id) => [id, buildJobValue(id, await store.load.job(id))] as const),
  );
  return new Map(jobs);
};
