import type { MostBytes } from "../../../coordinator/kernel/values.ts";
import { rowWeight } from "../../../coordinator/kernel/weight.ts";
import { returnWays } from "../../../shared/lending/lending.ts";
import { type Choice, latestSwarm } from "../choice.ts";
import { createRandom, type Random } from "../engine/random.ts";

/** What a seed draws of a farm before it begins: its sizes, its times, and how its disks lose what was not flushed. */
export type Settings = {
  readonly seed: number;
  readonly faults: number;
  readonly only: string | undefined;
  readonly isHarmless: boolean;
  /** Faults and jobs that are left out, by their numbers: whatever else happens is drawn as before. */
  readonly without: ReadonlySet<number>;
  readonly withoutJobs: ReadonlySet<number>;
  readonly swarm: number;
  readonly coordinators: number;
  readonly agents: number;
  readonly slots: number;
  readonly jobs: number;
  /** How many times as long programs take as usual. */
  readonly pace: number;
  readonly isOrdered: boolean;
  readonly drift: number;
  readonly storeMs: number;
  readonly restartMs: number;
  /** The mean time from one fault to the next. */
  readonly faultMs: number;
  readonly auditEvery: number;
  /** Of a coordinator that remembers next to nothing of what it does not use; undefined: as usual. */
  readonly mostBytes: MostBytes | undefined;
  /** What each agent's owner allows; undefined: nobody uses that machine. */
  readonly owners: readonly (Owner | undefined)[];
  /** Tasks of one tag that may run at a time. */
  readonly mostTagged: number;
  readonly timing: typeof timing;
};

/** Shorter than usual, so that a day has more in it; what the farm does about it is the same. */
export const sharedTag = "edit";

/** What an owner wants when he comes back, and how long work may be held meanwhile. */
export type Owner = { readonly onReturn: (typeof returnWays)[number]; readonly holdMin: number };

const timing = {
  heartbeatMs: 5000,
  lateMs: 10_000,
  lostMs: 30_000,
  tickMs: 2000,
  commitWaitMs: 120_000,
  capabilityWaitMs: 3_600_000,
  longestBackOffMs: 20_000,
  timeLimits: { "*": { stallMinutes: 1, hardMinutes: 120 }, source: { stallMinutes: 1, hardMinutes: 120 } },
};

export const drawSettings = (choice: Choice): Settings => {
  const { seed, faults, without = [], withoutJobs = [], swarm = latestSwarm, coordinators = 1 } = choice;
  const { only, isHarmless = false } = choice;
  const random = createRandom(seed).fork("settings");
  const agents = random.integer(1, 4);
  return {
    ...{ seed, faults, only, isHarmless, timing, swarm, without: new Set(without), withoutJobs: new Set(withoutJobs) },
    coordinators: coordinators > 1 ? random.fork("coordinators").integer(2, coordinators) : 1,
    agents,
    owners: ownersOf(agents, swarm, random.fork("owners")),
    mostTagged: random.fork("limits").integer(1, 3),
    slots: random.integer(1, 4),
    // A takeover matters to what is under way.
    pace: coordinators > 1 ? random.fork("pace").one([1, 10, 40]) : 1,
    jobs: random.integer(2, 12) * (coordinators > 1 ? 2 : 1),
    isOrdered: random.chance(0.7),
    drift: random.one([0, 0.0001, 0.01]),
    storeMs: random.one([0.1, 1, 20]),
    restartMs: random.one([500, 5000, 20_000]),
    faultMs: random.one([500, 3000, 15_000]),
    auditEvery: random.integer(5, 15),
    mostBytes: swarm >= 6 ? mostBytesOf(random.fork("memory")) : undefined,
  };
};

/** Room for nothing that is not in use, for a few tasks, or for whatever there is. */
const mostBytesOf = (random: Random): MostBytes | undefined => {
  const jobs = random.one([undefined, undefined, 0, 5, 20]);
  return jobs === undefined ? undefined : { jobs: jobs * rowWeight, works: 0, others: jobs * rowWeight };
};

/** About every second machine has an owner. */
const ownersOf = (agents: number, swarm: number, random: Random) =>
  Array.from({ length: agents }, () =>
    swarm >= 3 && random.chance(0.5) ? { onReturn: random.one(returnWays), holdMin: random.integer(1, 3) } : undefined,
  );
