import type { Random } from "../engine/random.ts";
import { type Fault, faults } from "./faults.ts";
import { drawSettings } from "./settings.ts";
import { openWorld, type Violation, type World } from "./world.ts";

/** What came of a seed. */
export type Outcome = {
  readonly seed: number;
  readonly hash: string;
  readonly violations: readonly Violation[];
  readonly faults: ReadonlyMap<string, number>;
  readonly simulatedMs: number;
  readonly events: number;
  readonly checks: number;
  readonly world: World;
};

/** So long all may take to come to rest after the last fault. */
const restMs = 2 * 3_600_000;

/** One farm from its first start to its rest, with so many faults. */
export const simulate = async (seed: number, count: number, keepsAll = false): Promise<Outcome> => {
  const settings = drawSettings(seed, count);
  const world = openWorld(settings, keepsAll);
  const { loop, violations, random } = world;
  const began = new Map<string, number>();
  const work = busyWith(world, random.fork("work"));
  const trouble = haveFaults(world, began, random.fork("faults"));
  const isOver = () => violations.length > 0;
  const everything = () => isOver() || (work.isDone() && trouble.isDone() && isAtRest(world));
  await loop.run({ isDone: () => isOver() || trouble.isDone(), at: 365 * 24 * 3_600_000 });
  await loop.run({ isDone: everything, at: loop.now() + restMs });
  if (!isOver()) world.checkEnd();
  world.isKept = false;
  return {
    ...{ seed, hash: world.journal.hash(), violations, faults: began, simulatedMs: loop.now() },
    ...{ events: loop.count(), checks: world.checks(), world },
  };
};

/** People send all their jobs, and change their mind about some. */
const busyWith = (world: World, random: Random) => {
  const { loop, people, settings } = world;
  let open = 0;
  const doing = (act: Promise<void>): void => {
    open += 1;
    void act.finally(() => {
      open -= 1;
    });
  };
  const span = Math.max(20_000, settings.faults * settings.faultMs);
  for (let nr = 0; nr < settings.jobs; nr += 1) {
    open += 1;
    loop.after(random.between(0, span), () => {
      open -= 1;
      doing(world.submitOne());
    });
  }
  for (let nr = 0; nr < settings.jobs / 3; nr += 1) {
    open += 1;
    loop.after(random.between(0, span), () => {
      open -= 1;
      const answered = people.sent().filter(({ id }) => id !== undefined);
      if (answered.length === 0) return;
      doing(people.wish(random.one(answered), random.one(["stop", "delete", "priority", "priority"])));
    });
  }
  return { isDone: () => open === 0 };
};

/** One fault after the other; each is put right again after a while, the last one too. */
const haveFaults = (world: World, began: Map<string, number>, random: Random) => {
  const { loop, settings, journal } = world;
  let [left, open] = [settings.faults, 0];
  const begin = (fault: Fault): void => {
    began.set(fault.kind, (began.get(fault.kind) ?? 0) + 1);
    journal.note("fate", "fault", fault.kind);
    const end = fault.begin(world, random);
    if (!end) return;
    open += 1;
    loop.after(random.wait(fault.lastsMs), () => {
      open -= 1;
      journal.note("fate", "healed", fault.kind);
      end();
    });
  };
  const next = (): void => {
    if (left === 0) return;
    left -= 1;
    begin(random.one(faults));
    loop.after(random.wait(settings.faultMs), next);
  };
  loop.after(random.wait(5000), next);
  return { isDone: () => left === 0 && open === 0 };
};

/** Asked often: cheap where something is still going on. */
const isAtRest = (world: World): boolean => {
  const { loop, agents, coordinator } = world;
  if (loop.count() % 500 !== 0) return false;
  if (!coordinator.life() || !world.farm() || agents.some((each) => !each.life())) return false;
  return isIdle(world);
};

const isIdle = (world: World): boolean => {
  const farm = world.farm();
  if (!farm) return false;
  const isEmpty = agentFoldersOf(world).every((names) => names.size === 0);
  return isEmpty && [...farm.values.openAttempts()].length === 0 && farm.ready.size() === 0 && farm.delayed.size === 0 && !hasOpenJobs(world);
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

const hasOpenJobs = ({ coordinator }: World): boolean => {
  const database = coordinator.databases.get("/data/farm.db") as { prepare: (sql: string) => { get: () => unknown } };
  return database.prepare("SELECT 1 FROM jobs WHERE end_time IS NULL LIMIT 1").get() !== undefined;
};
