import type { Failure } from "../../shared/causes.ts";
import { lackingOf } from "../schedule/obstacles.ts";
import type { OpenTask } from "../schedule/open-task.ts";
import { reserve } from "../schedule/reserve.ts";
import { simulate } from "./api-test.ts";
import { endQuarantines } from "./blame.ts";
import { noteDowntimes } from "./downtimes.ts";
import type { Farm } from "./farm.ts";
import { askForGrant, isGrantAwaited } from "./grants.ts";
import { startDueJobs } from "./hold-job.ts";
import { keepTime } from "./keep-time.ts";
import { lookAgain } from "./look-again.ts";
import { loseAttempt } from "./lost-attempts.ts";
import { noteLeft } from "./nodes.ts";
import { forgetOldFacts } from "./old-facts.ts";
import { endOverdue } from "./overdue.ts";
import { sealRows } from "./seal-rows.ts";
import { deleteJobs } from "./stop.ts";
import { forgetOldNames } from "./submission.ts";
import { forgetWatches } from "./watched-files.ts";

/** Does what only depends on time: retries come due, silent nodes are lost, waits end, jobs expire. */
export const tick = async (farm: Farm): Promise<void> => {
  await farm.change([], () => undefined); // writes the changes that nobody waits for
  await wakeDelayed(farm);
  await lookAgain(farm);
  forgetWatches(farm);
  await startDueJobs(farm);
  await simulate(farm);
  await giveUpLostNodes(farm);
  await endOverdue(farm);
  await endQuarantines(farm);
  await failUnservable(farm);
  keepNodesFree(farm);
  await expireJobs(farm);
  await clearLeftovers(farm);
  await sealRows(farm);
  await forgetOldNames(farm);
  await forgetOldFacts(farm);
  await farm.store.giveBackSpace();
  await keepTime(farm);
  await noteDowntimes(farm);
  await writeProgress(farm);
  // Tries beginnings and claims again that failed, for example on a full disk.
  farm.wake();
};

const wakeDelayed = async (farm: Farm): Promise<void> => {
  const now = farm.clock.steady();
  const due = [...farm.delayed.values()].filter(({ readyTime }) => readyTime <= now);
  if (due.length === 0) return;
  await farm.change(jobsOf(due), (draft) => {
    for (const { id, jobId } of due) {
      const task = draft.task({ job_id: jobId, id });
      if (task && draft.moveTask(task, "due")) draft.touch(jobId);
    }
  });
};

const jobsOf = (tasks: readonly OpenTask[]): number[] => tasks.map(({ jobId }) => jobId);

const giveUpLostNodes = async (farm: Farm): Promise<void> => {
  const { registry, clock } = farm;
  await hangUpSilentNodes(farm);
  const silent = registry
    .rows()
    .filter(({ id }) => registry.heldBy(id).length > 0 && registry.presence(id, clock.monotonic()) === "lost");
  if (silent.length === 0) return;
  const names = new Map(silent.map(({ id, profile }) => [id, profile.name]));
  await farm.change([], (draft) => {
    for (const attempt of farm.values.openAttempts()) {
      const name = names.get(attempt.node_id);
      if (name === undefined) continue;
      if (isGrantAwaited(farm, attempt)) askForGrant(farm, draft, attempt);
      else loseAttempt(farm, draft, attempt, `node ${name} has been silent for too long`);
    }
  });
};

/** Closes sockets that are open but silent: such a node would be given its lost work again and again. */
const hangUpSilentNodes = async (farm: Farm): Promise<void> => {
  const { registry, clock } = farm;
  for (const { id, profile } of registry.rows()) {
    if (!registry.isConnected(id) || registry.presence(id, clock.monotonic()) !== "lost") continue;
    farm.log.warn({ node: id, name: profile.name }, "node is silent: hanging up");
    registry.forget(id)?.close();
    await noteLeft(farm, id);
  }
};

/** The number of tasks that fail in one decision. */
const failedAtOnce = 50;

/** Fails tasks that no enrolled node can run, after a time of waiting. */
const failUnservable = async (farm: Farm): Promise<void> => {
  for (let stuck = unservable(farm); stuck.length > 0; stuck = unservable(farm)) {
    await farm.change(jobsOf(stuck), (draft) => {
      for (const each of stuck) {
        const task = draft.task({ job_id: each.jobId, id: each.id });
        if (task?.state !== "ready") continue;
        const failure: Failure = { cause: "capability", message: whatIsMissing(farm, each) };
        draft.moveTask(task, "fail", { failure, end_time: farm.clock.now() });
        draft.touch(each.jobId);
      }
    });
  }
};

const unservable = (farm: Farm): OpenTask[] => {
  const latest = farm.clock.steady() - farm.config.capabilityWaitMs;
  const ready = [...farm.ready.sets()]
    .filter(({ needs }) => !farm.registry.someoneCould(needs))
    .flatMap(({ all }) => all());
  const waiting = [...farm.waits.all()].flatMap(({ task }) => (farm.registry.someoneCould(task) ? [] : [task]));
  return [...ready, ...waiting].filter(({ readyTime }) => readyTime <= latest).slice(0, failedAtOnce);
};

const whatIsMissing = (farm: Farm, task: OpenTask): string => {
  const nodes = farm.registry.candidates().map(({ offer }) => offer.node);
  return `No node of the farm provides ${lackingOf(nodes, task)}`;
};

/** Reserves nodes for tasks that need more than a single free slot. */
const keepNodesFree = (farm: Farm): void => {
  const { registry, ready, clock, config } = farm;
  const offers = [...registry.offers()].map(({ offer }) => offer);
  registry.keepFree(reserve(ready.sets(), offers, registry.reservations(), clock.steady() - config.reserveAfterMs));
};

/** The time for this in one tick; the next one continues. */
const expireForMs = 500;

const expireJobs = async (farm: Farm): Promise<void> => {
  const until = farm.clock.monotonic() + expireForMs;
  do {
    const expired = await farm.store.due.expired(farm.clock.steady());
    if (expired.length === 0) return;
    await deleteJobs(farm, expired);
  } while (farm.clock.monotonic() < until);
};

const clearForMs = 200;

/** Clears rows of deleted jobs a few at a time, so that requests are answered in between. */
const clearLeftovers = async ({ clock, inTurn, store, sweeper }: Farm): Promise<void> => {
  const until = clock.monotonic() + clearForMs;
  while (clock.monotonic() < until && (await inTurn(store.clearLeftovers))) sweeper.soon();
  sweeper.look();
};

/** The number of jobs whose progress is written in one decision. */
const writtenAtOnce = 500;

const writeProgress = async (farm: Farm): Promise<void> => {
  const jobIds = farm.progress.takeUnwritten(writtenAtOnce);
  if (jobIds.length === 0) return;
  await farm.change(jobIds, (draft) => {
    for (const jobId of jobIds) {
      const progress = farm.progress.job(jobId);
      if (progress !== undefined && draft.job(jobId).row?.end_time === null) draft.setJob(jobId, { progress });
    }
  });
};
