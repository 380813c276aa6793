import type { FarmMount } from "../../../shared/files/mounts.ts";
import type { Choice } from "../choice.ts";
import { pairOf } from "../coverage.ts";
import type { Random } from "../engine/random.ts";
import { type Fault, faultsOf } from "./faults.ts";
import type { JobPlan } from "./job-plan.ts";
import { drawJob } from "./jobs.ts";
import type { Sent, Wish } from "./people.ts";
import { shareAt } from "./places.ts";
import { drawSettings, sharedTag } from "./settings.ts";
import { putOnShare, watchOver } from "./watched.ts";
import { openWorld, type Violation, type World } from "./world.ts";

/** What came of a seed. */
export type Outcome = {
  readonly choice: Choice;
  readonly hash: string;
  readonly violations: readonly Violation[];
  /** The kinds of faults in the order in which they began. */
  readonly faults: readonly string[];
  readonly simulatedMs: number;
  readonly events: number;
  readonly checks: number;
  readonly world: World;
};

/** So long after the last fault, or after a task that ended since, another one ends or all has come to rest. */
const restMs = 20 * 60_000;
const forEver = 1e12;
/** A farm that has more to do than this has lost itself in a circle. */
const mostEvents = 500_000;

/** One farm from its first start to its rest, with so many faults. */
export const simulate = async (choice: Choice, keepsAll = false): Promise<Outcome> => {
  const world = openWorld(drawSettings(choice), keepsAll);
  const { loop, violations, random } = world;
  const began: string[] = [];
  const isOver = () => violations.length > 0 || loop.count() > mostEvents;
  const work = busyWith(world, random.fork("work"));
  const trouble = haveFaults(world, began, random.fork("faults"));
  await loop.run({ isDone: () => isOver() || trouble.isDone(), at: forEver });
  await comeToRest(world, work.isDone, isOver);
  if (loop.count() > mostEvents) world.violate("everything ends", `${loop.count()} events were not enough`);
  if (!isOver()) world.checkEnd();
  world.isKept = false;
  return {
    ...{ choice, hash: world.journal.hash(), violations, faults: began, simulatedMs: loop.now() },
    ...{ events: loop.count(), checks: world.checks(), world },
  };
};

const wished: readonly Wish[] = [
  ...(["stop", "delete", "priority", "priority", "step", "pause", "retry", "requeue", "rename"] as const),
];

/** People send all their jobs, and change their mind about some. */
const busyWith = (world: World, random: Random) => {
  const { loop, people, settings, sources } = world;
  let open = 0;
  const later = (ms: number, act: () => Promise<void> | undefined): void => {
    open += 1;
    loop.after(ms, () => {
      const done = act();
      if (!done) open -= 1;
      void done?.finally(() => {
        open -= 1;
      });
    });
  };
  const span = Math.max(20_000, settings.faults * settings.faultMs);
  for (let nr = 0; nr < settings.jobs; nr += 1) {
    const own = random.fork(`job ${nr}`);
    const plan = drawJob({ nr, sources, random: own }, settings.swarm);
    if (settings.withoutJobs.has(nr)) continue;
    world.coverage.add("jobs", plan.kind);
    putBefore(world.share, plan);
    later(own.between(0, span), async () => {
      const each = await people.submit(plan);
      const { mount } = plan;
      if (mount) later(own.wait(10_000), () => people.mount({ set: mount }));
      if (plan.dropped && each) watchOver(world, each, later, own);
    });
  }
  for (let nr = 0; nr < settings.jobs / 2; nr += 1) {
    const own = random.fork(`wish ${nr}`);
    later(own.between(0, span), () => {
      // A watched folder is watched until all its files were taken.
      const answered = people.sent().filter(({ id, plan }) => id !== undefined && !plan.dropped);
      if (answered.length === 0) return undefined;
      const [each, wish] = [own.one(answered), own.one(wished)];
      // Nobody leaves a job paused for ever.
      if (wish === "pause") later(own.wait(20_000), () => people.wish(each, "resume"));
      const asked = people.wish(each, wish);
      const done = settings.swarm < 7 ? asked : alsoHastily(world, each, asked, own.fork("hasty"));
      // Where coordinators take over from each other, a pause may be answered after that.
      return wish === "pause" && settings.coordinators > 1 ? done.then(() => people.wish(each, "resume")) : done;
    });
  }
  if (settings.swarm >= 3) {
    later(random.fork("limit").between(0, span / 2), () => people.limit(sharedTag, settings.mostTagged));
    later(random.fork("mount").between(0, span), async () => {
      await people.mount({ set: unused });
      await people.mount({ remove: unused.prefix });
    });
  }
  if (settings.swarm >= 6) {
    later(random.fork("rule").between(0, span), async () => {
      await people.allow({ add: unusedRule });
      await people.allow({ remove: unusedRule });
    });
    for (let nr = 0; nr < settings.jobs; nr += 1) {
      const own = random.fork(`look ${nr}`);
      later(own.between(0, span), () => people.look(own));
    }
  }
  return { isDone: () => open === 0 };
};

/** Some press twice, or two people ask at once: each of them is answered. */
const alsoHastily = async ({ people }: World, each: Sent, asked: Promise<void>, random: Random): Promise<void> => {
  if (random.chance(0.5)) await people.wish(each, random.one(hastily), true);
  await asked;
  // A job that was stopped while it was paused is paused when it is tried again.
  if (each.asked.has("pause")) await people.wish(each, "resume");
};
const hastily = wished.filter((wish) => wish !== "pause");

/** What lies on the share before anything begins needs nobody's grant. */
const putBefore = (share: World["share"], { before = new Map() }: JobPlan): void => {
  const { onShown = () => undefined } = share;
  share.onShown = () => undefined;
  for (const [path, bytes] of before) putOnShare(share, path, bytes);
  share.onShown = onShown;
};

/** A mount that no job uses. */
const unused: FarmMount = { prefix: "file:///Volumes/unused", folders: { posix: `${shareAt}/unused` } };

/** A rule for an address that no job uses. */
const unusedRule = "192.0.2.1:443";

/** One fault after the other; each is put right again after a while. Each draws for itself, so any can be left out. */
const haveFaults = (world: World, began: string[], random: Random) => {
  const { loop, settings, journal } = world;
  let open = 0;
  const active = new Set<string>();
  const begin = (fault: Fault, own: Random): void => {
    began.push(fault.kind);
    for (const other of active) if (other !== fault.kind) world.coverage.add("fault pairs", pairOf(fault.kind, other));
    journal.note("fate", "fault", fault.kind);
    const end = settings.isHarmless ? () => undefined : fault.begin(world, own);
    if (!end || fault.lastsMs === 0) return;
    open += 1;
    active.add(fault.kind);
    loop.after(own.fork("end").wait(fault.lastsMs), () => {
      open -= 1;
      active.delete(fault.kind);
      journal.note("fate", "healed", fault.kind);
      end();
    });
  };
  let at = random.wait(5000);
  for (let nr = 0; nr < settings.faults; nr += 1) {
    const own = random.fork(`fault ${nr}`);
    const fault = own.one(faultsOf(settings));
    at += own.wait(settings.faultMs);
    if (settings.without.has(nr)) continue;
    open += 1;
    loop.after(at, () => {
      open -= 1;
      begin(fault, own);
    });
  }
  return { isDone: () => open === 0 };
};

/** How often it is asked whether all is quiet. */
const everyEvents = 300;

/** A farm of one slow machine has work for hours after a bad day: as long as its tasks end, it is waited for. */
const comeToRest = async (world: World, isDone: () => boolean, isOver: () => boolean): Promise<void> => {
  const { loop } = world;
  const rest = createRest(world, isDone);
  for (let [before, isHeld] = [-1, false]; !isHeld && world.endings() > before; ) {
    before = world.endings();
    isHeld = await loop.run({ isDone: () => isOver() || rest.isReached(), at: loop.now() + restMs });
  }
};

/** Everything is up and nothing is left to do. */
const createRest = (world: World, isDone: () => boolean) => {
  const { loop, agents, coordinators } = world;
  let asked = loop.count();
  const isIdle = (): boolean => {
    const farm = world.farm();
    if (!farm || [...coordinators, ...agents].some((each) => !each.life())) return false;
    return agentFoldersOf(world).every((names) => names.size === 0) && !hasOpenJobs(world);
  };
  return {
    isReached: (): boolean => {
      if (loop.count() - asked < everyEvents) return false;
      asked = loop.count();
      return isDone() && isIdle();
    },
  };
};

const agentFoldersOf = ({ agents }: World) =>
  agents.flatMap(({ disk }) => {
    const agent = disk.root.names.get("agent");
    if (agent?.kind !== "folder") return [];
    return ["attempts", "outbox"].flatMap((name) => {
      const folder = agent.names.get(name);
      return folder?.kind === "folder" ? [folder.names] : [];
    });
  });

const hasOpenJobs = ({ storeAt }: World): boolean => {
  const database = storeAt.databases.get("/data/farm.db") as { prepare: (sql: string) => { get: () => unknown } };
  return database.prepare("SELECT 1 FROM jobs WHERE end_time IS NULL LIMIT 1").get() !== undefined;
};
