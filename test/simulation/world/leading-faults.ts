import type { Life } from "../engine/life.ts";
import type { Random } from "../engine/random.ts";
import type { Fault } from "./faults.ts";
import { addressOf } from "./keeper.ts";
import type { Machine } from "./machine.ts";
import type { World } from "./world.ts";

/** Mostly the one that leads. */
const leaderOr = ({ leader, coordinators }: World, random: Random): Machine => {
  const drawn = random.one(coordinators);
  return random.chance(0.8) ? (leader()?.machine ?? drawn) : drawn;
};

const frozen = (kind: string, meanMs: number): Fault => ({
  kind,
  lastsMs: meanMs,
  begin: (world, random) => {
    const life = leaderOr(world, random).life();
    life?.pause();
    return () => life?.resume();
  },
});

/** What happens to coordinators of which several share a store. */
export const leadingFaults: readonly Fault[] = [
  {
    kind: "the leader is killed",
    lastsMs: 0,
    begin: (world, random) => {
      leaderOr(world, random).die("killed");
      return undefined;
    },
  },
  frozen("the leader stands still for less than its lease", 2000),
  frozen("the leader stands still for longer than its lease", 12_000),
  {
    kind: "the leader ends or stands still with a batch on its way, which arrives late",
    lastsMs: 30_000,
    begin: (world, random) => {
      const machine = leaderOr(world, random);
      const link = world.server?.linkOf(machine.name);
      let paused: Life | undefined;
      if (!link) return undefined;
      link.atBatch = () => {
        const life = machine.life();
        if (random.chance(0.5)) machine.die("killed");
        else {
          life?.pause();
          paused = life;
        }
        return 1 + random.wait(8000);
      };
      return () => {
        link.atBatch = undefined;
        paused?.resume();
      };
    },
  },
  {
    kind: "a coordinator is cut off from the store",
    lastsMs: 12_000,
    begin: (world, random) => {
      const link = world.server?.linkOf(leaderOr(world, random).name);
      link?.stall();
      return () => link?.goOn();
    },
  },
  {
    kind: "connections to the store break",
    lastsMs: 0,
    begin: (world, random) => {
      const all = random.chance(0.5) ? world.coordinators : [leaderOr(world, random)];
      for (const { name } of all) world.server?.linkOf(name).reset();
      return undefined;
    },
  },
  {
    kind: "a coordinator is cut off from the agents",
    lastsMs: 20_000,
    begin: (world, random) => {
      const { host } = new URL(addressOf(leaderOr(world, random)));
      const ways = world.agents.flatMap(({ name }) => {
        const { up, down } = world.network.lineOf(name, host);
        return [up, down];
      });
      for (const way of ways) way.isStalled = true;
      return () => {
        for (const way of ways) way.goOn();
      };
    },
  },
  {
    kind: "the lead is given away",
    lastsMs: 0,
    begin: ({ leader, journal }) => {
      const { machine, lead } = leader() ?? {};
      machine?.life()?.meet(() => {
        lead?.give().catch((problem) => journal.note(machine.name, "refused", `hand-over: ${problem.message}`));
      });
      return undefined;
    },
  },
  {
    kind: "commits take a second",
    lastsMs: 15_000,
    begin: ({ storeTrouble, settings }, random) => {
      storeTrouble.operationMs = random.between(300, 1500);
      return () => {
        storeTrouble.operationMs = settings.storeMs;
      };
    },
  },
];
