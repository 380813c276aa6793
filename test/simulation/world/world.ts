import type { Farm } from "../../../coordinator/farm.ts";
import type { Change } from "../../../coordinator/store/batch.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import type { Assignment } from "../../../shared/protocol/messages.ts";
import { invariants } from "../invariants/invariants.ts";
import type { Check } from "../invariants/invariant.ts";
import { type Coverage, createCoverage } from "../coverage.ts";
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

type Checker = ReturnType<typeof createChecker>;
type RunningFarm = { farm?: Farm; joinToken?: string };

type CheckerNeeds = Pick<World, "settings" | "loop" | "journal" | "share" | "coordinator" | "agents"> & {
  readonly running: RunningFarm;
  readonly sent: World["people"]["sent"];
};

/** Asks every invariant about what happens, and collects what does not hold. */
const createChecker = ({ settings, loop, journal, share, coordinator, agents, running, sent }: CheckerNeeds) => {
  const violations: Violation[] = [];
  const coverage = createCoverage();
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
    ...{ violations, violate, coverage },
    
    shown,
    count: () => count,
    end: () => ask((check) => check.ended?.()),
    said: (node: string, text: string, way: string): void => {
      const message = JSON.parse(text);
      coverage.add("messages", `${way} ${message.type}`);
      if (message.type === "assign") journal.note(node, "knows", wordsOfAssignment(message.assignment));
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
          for (const each of movesIn(batch.changes)) noteMove(each, { journal, coverage });
          const jobs = new Set(batch.changes.flatMap(({ job }) => (job === undefined ? [] : [job])));
          const isAsked = batches % settings.auditEvery === 0;
          if (isAsked) ask((check) => check.written?.([...jobs]));
          await done;
        },
      };
    },
  };
};

/** Which attempt is of which task, and for which job it makes something. */
const wordsOfAssignment = ({ fence, taskId, work }: Assignment): string => {
  const folder = Object.values(work.outputs)[0]?.folder ?? "";
  return [`assign #${fence.counter} task ${taskId}`, ...(/job-\d+/.exec(folder) ?? [])].join(" ");
};

type Move = { readonly table: string; readonly key: string; readonly from: string; readonly to: string };

const named: Readonly<Record<string, string>> = { tasks: "task", attempts: "attempt", element_runs: "element" };

const movesIn = (changes: readonly Change[]): Move[] =>
  changes.flatMap(({ table, key, before, after }) => {
    const [from, to] = [before, after].map((row) => (row && "state" in row ? String(row.state) : undefined));
    const name = named[table];
    return name && from !== undefined && to !== undefined && from !== to
      ? [{ table: name, key: key.join(" "), from, to }]
      : [];
  });

const noteMove = ({ table, key, from, to }: Move, { journal, coverage }: Pick<World, "journal" | "coverage">): void => {
  coverage.add("states", `${table} ${from} → ${to}`);
  journal.note("store", "knows", `${table === "attempt" ? `#${key}` : `${table} ${key}`} ${from} → ${to}`);
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
    machine.onDeath = (death, at) => {
      const kind = machine === coordinator ? "coordinator" : "agent";
      if (at !== "") checker.coverage.add("crash points", `${kind} at ${at}`);
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
