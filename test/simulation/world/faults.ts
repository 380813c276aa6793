import { checkpointNames as agentMoments } from "../../../agent/checkpoint.ts";
import { checkpointNames as coordinatorMoments } from "../../../coordinator/checkpoint.ts";
import type { Random } from "../engine/random.ts";
import { noTrouble, type Volume } from "../system/volume.ts";
import { addressOf } from "./keeper.ts";
import { leadingFaults } from "./leading-faults.ts";
import type { Death, Machine } from "./machine.ts";
import { type NetLine, onlyHost, usualDelayMs } from "./network.ts";
import { sharing } from "./sharing-faults.ts";
import type { World } from "./world.ts";

/** One thing that goes wrong. What it returns puts it right again, after so many milliseconds at the mean. */
export type Fault = {
  readonly kind: string;
  readonly lastsMs: number;
  /** The swarm that had it first: 1, if nothing is said. */
  readonly since?: number;
  readonly begin: (world: World, random: Random) => (() => void) | undefined;
};

/** How long a service manager waits for a program that it has asked to end, before it kills it. */
const quitMs = 90_000;

/** Nothing is drawn where there is one. */
const someOf = <T>(all: readonly T[], random: Random): T => (all.length === 1 ? (all[0] as T) : random.one(all));

const someMachine = ({ coordinators, agents }: World, random: Random): Machine =>
  random.chance(0.4) ? someOf(coordinators, random) : random.one(agents);

/** The line of an agent to a coordinator. */
const lineOf = ({ network, coordinators }: World, { name }: Machine, random: Random): NetLine => {
  const hosts = coordinators.length === 1 ? [onlyHost] : coordinators.map((each) => new URL(addressOf(each)).host);
  return network.lineOf(name, someOf(hosts, random));
};

const deaths: readonly Death[] = ["killed", "power cut"];

const dyingAtCall = (death: Death): Fault => ({
  kind: `${death === "killed" ? "a program is killed" : "power is cut"} at a call`,
  lastsMs: 60_000,
  begin: (world, random) => {
    const machine = someMachine(world, random);
    machine.doom = { death, calls: Math.ceil(random.wait(60)) };
    return () => {
      machine.doom = undefined;
    };
  },
});

const dyingAtMoment = (death: Death): Fault => ({
  kind: `${death === "killed" ? "a program is killed" : "power is cut"} at a moment of an attempt`,
  lastsMs: 60_000,
  begin: (world, random) => {
    const machine = someMachine(world, random);
    const moments = world.coordinators.includes(machine) ? coordinatorMoments : agentMoments;
    machine.doom = { death, moment: random.one(moments) };
    return () => {
      machine.doom = undefined;
    };
  },
});

const allDie = (death: Death): Fault => ({
  kind: death === "killed" ? "every program is killed" : "power is cut everywhere",
  lastsMs: 0,
  begin: ({ coordinators, agents }) => {
    for (const machine of [...coordinators, ...agents]) machine.die(death);
    return undefined;
  },
});

const stalled = (kind: string, ways: readonly ("up" | "down")[], isEverywhere = false): Fault => ({
  kind,
  lastsMs: 25_000,
  begin: (world, random) => {
    const { agents } = world;
    const lines = (isEverywhere ? agents : [random.one(agents)]).map((agent) => lineOf(world, agent, random));
    for (const line of lines) for (const way of ways) line[way].isStalled = true;
    return () => {
      for (const line of lines) for (const way of ways) line[way].goOn();
    };
  },
});

/** Makes a change of what is wrong with some disk, for a while. */
const troubled = (kind: string, change: (disk: Volume, random: Random) => Partial<Volume["trouble"]>): Fault => ({
  kind,
  lastsMs: 15_000,
  begin: (world, random) => {
    const disk = random.chance(0.4) ? world.share : someMachine(world, random).disk;
    const changed = change(disk, random);
    Object.assign(disk.trouble, changed);
    return () => {
      for (const key of Object.keys(changed)) Object.assign(disk.trouble, { [key]: noTrouble[key as never] });
    };
  },
});

export const faults: readonly Fault[] = [
  ...deaths.flatMap((death) => [dyingAtCall(death), dyingAtMoment(death), allDie(death)]),
  {
    kind: "a line is cut",
    lastsMs: 0,
    begin: (world, random) => {
      world.network.cut(lineOf(world, random.one(world.agents), random));
      return undefined;
    },
  },
  stalled("a line carries nothing", ["up", "down"]),
  stalled("a line carries nothing from the agent", ["up"]),
  stalled("a line carries nothing to the agent", ["down"]),
  stalled("no line carries anything", ["up", "down"], true),
  {
    kind: "a line is slow",
    lastsMs: 30_000,
    begin: (world, random) => {
      const { up, down } = lineOf(world, random.one(world.agents), random);
      [up.delayMs, down.delayMs] = [random.wait(2000), random.wait(2000)];
      return () => {
        [up.delayMs, down.delayMs] = [usualDelayMs, usualDelayMs];
      };
    },
  },
  {
    kind: "a machine sleeps",
    lastsMs: 40_000,
    begin: (world, random) => {
      const life = someMachine(world, random).life();
      life?.pause();
      return () => life?.resume();
    },
  },
  {
    kind: "a clock is set",
    lastsMs: 20_000,
    begin: (world, random) => {
      const { clock } = someMachine(world, random);
      const ms = random.one([-1, 1]) * random.wait(3_600_000);
      clock.offset += ms;
      return () => {
        clock.offset -= ms;
      };
    },
  },
  troubled("a disk is slow", (_, random) => ({ callMs: random.wait(100), flushMs: random.wait(2000) })),
  troubled("a disk fails now and then", (_, random) => ({ errors: random.between(0.01, 0.3) })),
  troubled("a disk is full", (disk, random) => ({ capacity: disk.used() + random.integer(0, 3) * 1000 })),
  troubled("a disk is read-only", () => ({ isReadOnly: true })),
  {
    kind: "batches meet a bad fate",
    lastsMs: 20_000,
    begin: ({ storeTrouble }, random) => {
      storeTrouble.probability = random.between(0.05, 0.5);
      storeTrouble.fates = random.one([
        ["content"],
        ["disk"],
        ["lost and unknown"],
        ["written and unknown"],
        ["late"],
        ["content", "disk", "lost and unknown", "written and unknown", "late"],
      ] as const);
      return () => {
        storeTrouble.probability = 0;
      };
    },
  },
  {
    kind: "the store is slow",
    lastsMs: 20_000,
    begin: ({ storeTrouble, settings }, random) => {
      storeTrouble.operationMs = random.wait(500);
      return () => {
        storeTrouble.operationMs = settings.storeMs;
      };
    },
  },
  {
    kind: "the store answers not every question",
    lastsMs: 10_000,
    since: 6,
    begin: ({ storeTrouble }, random) => {
      storeTrouble.refusals = random.between(0.02, 0.5);
      return () => {
        storeTrouble.refusals = 0;
      };
    },
  },
  {
    kind: "a program is asked to end",
    lastsMs: 0,
    since: 6,
    begin: (world, random) => {
      const machine = someMachine(world, random);
      const life = machine.life();
      life?.meet(() => {
        machine.quit?.().catch((problem) => machine.onFailure(problem));
      });
      // Whoever asked has no more patience than this.
      world.loop.after(quitMs, () => {
        if (life && life === machine.life()) machine.die("killed");
      });
      return undefined;
    },
  },
  {
    kind: "one side forgets a connection",
    lastsMs: 0,
    since: 2,
    begin: (world, random) => {
      world.network.forget(lineOf(world, random.one(world.agents), random), random.one(["up", "down"]));
      return undefined;
    },
  },
  {
    kind: "a connection is lost without a word",
    lastsMs: 0,
    since: 8,
    begin: (world, random) => {
      world.network.lose(lineOf(world, random.one(world.agents), random));
      return undefined;
    },
  },
  {
    kind: "programs fail now and then",
    lastsMs: 30_000,
    since: 2,
    begin: ({ agents }, random) => {
      const { programTrouble } = random.one(agents);
      programTrouble.failures = random.between(0.1, 0.9);
      return () => {
        programTrouble.failures = 0;
      };
    },
  },
  ...sharing,
];

/** What is about several coordinators comes as often as all else together, where there are some. */
export const faultsOf = ({
  swarm,
  coordinators,
  only,
}: Pick<World["settings"], "swarm" | "coordinators" | "only">): readonly Fault[] => {
  const usual = faults.filter(({ since = 1 }) => since <= swarm);
  if (only !== undefined) return [...usual, ...leadingFaults].filter(({ kind }) => kind === only);
  if (coordinators === 1) return usual;
  const times = Math.round(usual.length / leadingFaults.length);
  return [...usual, ...Array.from({ length: times }, () => leadingFaults).flat()];
};
