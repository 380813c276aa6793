import type { Farm } from "../../../coordinator/farm.ts";
import type { Coverage } from "../coverage.ts";
import { createJournal, type Journal } from "../engine/journal.ts";
import { createLife } from "../engine/life.ts";
import { createLoop, type Loop } from "../engine/loop.ts";
import { createRandom, type Random } from "../engine/random.ts";
import { hearUnheard } from "../engine/unheard.ts";
import { createVolume, type Volume } from "../system/volume.ts";
import { createChecker } from "./checker.ts";
import { makeSources, type Sources } from "./jobs.ts";
import { furnish, keepRunning, type RunningFarm } from "./keeper.ts";
import { beginning, createMachine, type Machine, type MachineNeeds } from "./machine.ts";
import { createNetwork, type Network } from "./network.ts";
import { createPeople } from "./people.ts";
import { agentDir, dataDir, shareAt } from "./places.ts";
import { programs } from "./programs.ts";
import type { Settings } from "./settings.ts";
import type { StoreTrouble } from "./store.ts";

export type Violation = { readonly name: string; readonly what: string; readonly at: number };

/** A whole farm, with everything that may go wrong in it. */
export type World = {
  readonly settings: Settings;
  readonly loop: Loop;
  readonly journal: Journal;
  readonly random: Random;
  readonly network: Network;
  readonly share: Volume;
  readonly coordinator: Machine;
  readonly agents: readonly Machine[];
  readonly storeTrouble: StoreTrouble;
  readonly people: ReturnType<typeof createPeople>;
  readonly sources: Sources;
  readonly farm: () => Farm | undefined;
  readonly violations: Violation[];
  readonly coverage: Coverage;
  /** Invariants that were checked, one by one. */
  readonly checks: () => number;
  /** Whether machines that die start again by themselves. */
  isKept: boolean;
  readonly checkEnd: () => void;
  readonly violate: (name: string, what: string) => void;
};

export const openWorld = (settings: Settings, keepsAll = false): World => {
  const loop = createLoop();
  const journal = createJournal(loop.now, keepsAll);
  const random = createRandom(settings.seed);
  const network = createNetwork({ loop, journal, random: random.fork("network") });
  const share = createVolume("share", { isOrdered: settings.isOrdered, isServer: true }, () => beginning + loop.now());
  const sources = makeSources(share, random.fork("sources"), 5);
  const machineOf = (name: string, shares: MachineNeeds["shares"]) =>
    createMachine({
      ...{ name, loop, journal, programs, shares, random: random.fork(name) },
      ...{
        diskKind: { isOrdered: settings.isOrdered, isServer: false },
        rate: 1 + settings.drift * random.between(-1, 1),
      },
    });
  const coordinator = machineOf("coordinator", []);
  const agents = Array.from({ length: settings.agents }, (_, nr) =>
    machineOf(`agent-${nr + 1}`, [{ at: shareAt, volume: share }]),
  );
  furnish(coordinator.disk, dataDir);
  for (const { disk } of agents) furnish(disk, agentDir);
  const storeTrouble: StoreTrouble = { probability: 0, fates: [], operationMs: settings.storeMs };
  const running: RunningFarm = {};
  const checker = createChecker({
    ...{ settings, loop, journal, share, coordinator, agents },
    ...{ sent: () => people.sent(), farm: () => running.farm },
  });
  const broke = (who: string) => (problem: unknown) =>
    checker.violate("no program breaks", `${who}: ${wordsOf(problem)}`);
  const outside = createLife("people", { name: "people", atCall: () => undefined, atFault: broke("people") }, loop);
  for (const machine of [coordinator, ...agents]) machine.onFault = broke(machine.name);
  hearUnheard(broke("a rejection that nobody heard"));
  const note = (kind: string, what: string) => journal.note("people", kind, what);
  const people = createPeople({
    ...{ random: random.fork("people"), life: outside, note, delayMs: () => random.wait(5) },
    coordinator: () => {
      const life = coordinator.life();
      return running.farm && life ? { farm: running.farm, life } : undefined;
    },
  });
  const world: World = {
    ...{ settings, loop, journal, random, network, share, coordinator, agents, storeTrouble, people, sources },
    farm: () => running.farm,
    ...{ violations: checker.violations, coverage: checker.coverage },
    checks: checker.count,
    isKept: true,
    checkEnd: checker.end,
    violate: checker.violate,
  };
  network.onSaid = checker.said;
  share.onShown = checker.shown;
  keepRunning(world, running, checker);
  return world;
};

const wordsOf = (problem: unknown): string =>
  problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
