import type { Farm } from "../../../coordinator/farm.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import { invariants } from "../invariants/invariants.ts";
import type { Check } from "../invariants/invariant.ts";
import { createJournal, type Journal } from "../engine/journal.ts";
import { createLife, type Life } from "../engine/life.ts";
import { createLoop, type Loop } from "../engine/loop.ts";
import { hearUnheard } from "../engine/unheard.ts";
import { createRandom, type Random } from "../engine/random.ts";
import { createVolume, type Volume } from "../system/volume.ts";
import { runAgent, shareAt } from "./agent.ts";
import { runCoordinator } from "./coordinator.ts";
import { makeSources, type Sources } from "./jobs.ts";
import { beginning, createMachine, type Machine, type MachineNeeds } from "./machine.ts";
import { createNetwork, type Network } from "./network.ts";
import { createPeople } from "./people.ts";
import { programs } from "./programs.ts";
import type { StoreTrouble } from "./store.ts";
import type { Settings } from "./settings.ts";

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
      ...{ diskKind: { isOrdered: settings.isOrdered, isServer: false }, rate: 1 + settings.drift * random.between(-1, 1) },
    });
  const coordinator = machineOf("coordinator", []);
  const agents = Array.from({ length: settings.agents }, (_, nr) =>
    machineOf(`agent-${nr + 1}`, [{ at: shareAt, volume: share }]),
  );
  for (const { disk } of agents) installPrograms(disk);
  const storeTrouble: StoreTrouble = { probability: 0, fates: [], operationMs: settings.storeMs };
  const running: { farm?: Farm; joinToken?: string } = {};
  const checker = createChecker({ settings, loop, journal, share, coordinator, agents, running, sent: () => people.sent() });
  const broke = (who: string) => (problem: unknown) => checker.violate("no program breaks", `${who}: ${wordsOf(problem)}`);
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
    violations: checker.violations,
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

type Checker = ReturnType<typeof createChecker>;
type RunningFarm = { farm?: Farm; joinToken?: string };

type CheckerNeeds = Pick<World, "settings" | "loop" | "journal" | "share" | "coordinator" | "agents"> & {
  readonly running: RunningFarm;
  readonly sent: World["people"]["sent"];
};

/** Asks every invariant about what happens, and collects what does not hold. */
const createChecker = ({ settings, loop, journal, share, coordinator, agents, running, sent }: CheckerNeeds) => {
  const violations: Violation[] = [];
  let count = 0;
  const seen = {
    ...{ now: loop.now, share, coordinator, agents, sent, farm: () => running.farm },
    commitWaitMs: settings.timing.commitWaitMs,
  };
  const checks = invariants.map(({ name, check }) => ({ name, check: check(seen) }));
  const violate = (name: string, what: string): void => {
    violations.push({ name, what, at: loop.now() });
    journal.note("farm", "violation", `${name}: ${what}`);
  };
  const ask = (how: (check: Check) => readonly string[] | undefined): void => {
    for (const { name, check } of checks) {
      const found = how(check);
      if (!found) continue;
      count += 1;
      for (const what of found) violate(name, what);
    }
  };
  const shown: Volume["onShown"] = (folder, name, node) => {
    if (node.kind !== "file") return;
    const path = `${pathIn(folder)}/${name}`;
    ask((check) => check.shown?.(path, node.bytes));
  };
  return {
    violations,
    violate,
    shown,
    count: () => count,
    end: () => ask((check) => check.ended?.()),
    said: (node: string, text: string): void => {
      const message = JSON.parse(text);
      ask((check) => check.said?.(node, message));
    },
    /** Every so many batches, memory is compared with the store. */
    watch: (store: Store): Store => {
      let batches = 0;
      return {
        ...store,
        write: async (batch) => {
          const done = store.write(batch);
          batches += 1;
          const jobs = new Set(batch.changes.flatMap(({ job }) => (job === undefined ? [] : [job])));
          const isAsked = batches % settings.auditEvery === 0;
          if (isAsked) ask((check) => check.written?.([...jobs]));
          await done;
        },
      };
    },
  };
};

const pathIn = (folder: { readonly place: { readonly folder: unknown; readonly name: string } | undefined }): string => {
  const { place } = folder;
  return place ? `${pathIn(place.folder as typeof folder)}/${place.name}` : shareAt;
};

const installPrograms = (disk: Volume): void => {
  const folder = (at: typeof disk.root, name: string) => {
    const node = disk.newFolder(0o755);
    disk.change([{ folder: at, name, node }]);
    return node;
  };
  const bin = folder(folder(disk.root, "usr"), "bin");
  for (const name of ["ffmpeg", "ffprobe"]) {
    const node = disk.newFile(0o755);
    disk.change([{ folder: bin, name, node }]);
    disk.write(node, Buffer.from(`the program ${name}`));
    disk.flushFile(node);
  }
  folder(disk.root, "dev");
  for (const each of [disk.root, bin.place?.folder ?? disk.root, bin]) disk.flushFolder(each);
};

/** Starts what is down: at first, and whenever it died. */
const keepRunning = (world: World, running: RunningFarm, checker: Checker): void => {
  const { coordinator, agents, network, loop, settings, random, storeTrouble, journal } = world;
  const complainOf = (name: string) => (level: string, message: string) => journal.note(name, `log_${level}`, message);
  const lives = new Map<Machine, Life>();
  const keep = (machine: Machine, run: () => Promise<unknown>): void => {
    const start = (): void => {
      if (!world.isKept || machine.life()) return;
      lives.set(machine, machine.start(run));
    };
    const startLater = (): void => void loop.after(random.wait(settings.restartMs), start);
    machine.onDeath = (death) => {
      const life = lives.get(machine);
      if (life && death === "killed") network.dropLife(life);
      if (machine === coordinator) running.farm = undefined;
      startLater();
    };
    machine.onFailure = (problem) => {
      journal.note(machine.name, "gave_up", String(problem));
      const life = lives.get(machine);
      machine.stopped();
      if (life) network.dropLife(life);
      if (machine === coordinator) running.farm = undefined;
      startLater();
    };
    start();
  };
  keep(coordinator, async () => {
    const opened = await runCoordinator(coordinator, {
      ...{ loop, network, timing: settings.timing, trouble: storeTrouble },
      watch: checker.watch,
      complain: complainOf(coordinator.name),
    });
    Object.assign(running, opened);
  });
  for (const machine of agents) {
    keep(machine, async () => {
      if (running.joinToken === undefined) throw new Error("there is no farm yet");
      const { joinToken } = running;
      const agent = await runAgent(machine, {
        ...{ loop, network, joinToken, slots: settings.slots },
        complain: complainOf(machine.name),
      });
      await agent.ended;
    });
  }
};
