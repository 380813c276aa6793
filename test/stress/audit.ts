import type { Intent } from "../../shared/work/work.ts";
import { openEnds, readStore, type StoreImage, strayAttempts, strayTasks } from "../helpers/farm/store-audit.ts";
import { refusalOf } from "../helpers/farm/troubled-store.ts";
import { longWaiting, lostPriorities, wrongOrder } from "./order.ts";
import type { Storm } from "./storm.ts";

/** What must hold of a store and a disk when a storm is over. `isQuiet`: all jobs had the time to end. */
export const auditFarm = (storm: Storm, isQuiet: boolean) => {
  const store = readStore(storm.farm.database);
  const counts = {
    ...storm.book.counts(),
    jobs: store.jobs.length,
    tasks: store.tasks.length,
    attempts: store.attempts.length,
    "jobs deleted": storm.deleted.size,
    "tasks that waited for long": longWaiting(store).length,
    "files shown": storm.disk.shown().size,
  };
  const checks = [lostJobs, thrownAway, strayTasks, strayAttempts, unknownAttempts, ungrantedBytes, ordered, kept];
  const quiet = isQuiet ? [openEnds, leftFiles] : [];
  return { counts, violations: [...checks, ...quiet].flatMap((check) => check(store, storm).slice(0, 20)) };
};

type Check = (store: StoreImage, storm: Storm) => string[];

/** Every job that was acknowledged is there, unless somebody deleted it. */
const lostJobs: Check = ({ jobs }, { accepted, deleted }) => {
  const there = new Set(jobs.map(({ id }) => String(id)));
  return [...accepted].filter((id) => !there.has(id) && !deleted.has(id)).map((id) => `job ${id} is lost`);
};

/** What nodes were told to do was durable before: the store knows it, or its job was deleted. */
const unknownAttempts: Check = ({ attempts }, { book, deleted }) => {
  const known = new Set(attempts.map(({ epoch, counter }) => `${epoch}.${counter}`));
  const strange = [...book.assigned().keys()].filter((key) => !known.has(key));
  return deleted.size > 0 ? [] : strange.map((key) => `attempt ${key} was handed out, but is not in the store`);
};

/** What is seen of a task is what was granted, and of a completed one all of it. */
const ungrantedBytes: Check = ({ tasks }, { disk, book }) => {
  const shown = disk.shown();
  const ungranted = [...shown]
    .filter(([, identity]) => !book.granted().has(identity))
    .map(([file, identity]) => `${file} shows bytes ${identity}, which was never granted`);
  const missing = tasks.flatMap(({ id, state, intent }) => {
    if (state !== "completed" || intent === null) return [];
    const { files } = JSON.parse(intent) as Intent; // the store's own column
    return files
      .filter(({ final, identity }) => shown.get(final) !== identity)
      .map(({ final, identity }) => `task ${id} is completed, but ${final} shows ${shown.get(final)}, not ${identity}`);
  });
  return [...ungranted, ...missing];
};

/** Who did what was asked and told the truth is not told that it failed, unless the store cannot take the report itself. */
const thrownAway: Check = ({ attempts }, { book }) =>
  attempts
    .filter(({ state, epoch, counter }) => state === "failed" && book.honest().has(`${epoch}.${counter}`))
    .filter(({ failure }) => !failure?.includes(refusalOf("content")))
    .map(
      ({ counter, task_id, failure }) =>
        `attempt ${counter} of task ${task_id} did what it was to do, and is called failed: ${failure}`,
    );

const ordered: Check = (store, storm) => wrongOrder(store, storm.priorityChanges, storm.failedClaims());
const kept: Check = (store, { priorityChanges }) => lostPriorities(store, priorityChanges);

const leftFiles: Check = (_, { disk }) => [...disk.hidden().keys()].map((file) => `${file} is left behind`);
