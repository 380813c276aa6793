import type { Farm } from "../../../coordinator/farm.ts";
import type { Lead } from "../../../coordinator/standby/hand-over.ts";
import type { AgentMessage } from "../../../shared/protocol/messages.ts";
import type { Coverage } from "../coverage.ts";
import { createJournal, type Journal } from "../engine/journal.ts";
import { createLife } from "../engine/life.ts";
import { createLoop, type Loop } from "../engine/loop.ts";
import { createRandom, type Random } from "../engine/random.ts";
import { hearUnheard } from "../engine/unheard.ts";
import { hearSecrets } from "../system/globals.ts";
import { createView } from "../system/view.ts";
import { createVolume, type Volume } from "../system/volume.ts";
import { createChecker } from "./checker.ts";
import { makeSources, type Sources } from "./job-plan.ts";
import { addressOf, furnish, keepRunning, leaderIn, type RunningFarms } from "./keeper.ts";
import { beginning, createMachine, type Machine, type MachineNeeds } from "./machine.ts";
import { createNetwork, type Network } from "./network.ts";
import { createPeople } from "./people.ts";
import { agentDir, dataDir, shareAt } from "./places.ts";
import { programs } from "./programs.ts";
import type { Settings } from "./settings.ts";
import type { StoreTrouble } from "./store.ts";
import { createStoreServer, type StoreServer } from "./store-server.ts";

export type Listener = (node: string, message: AgentMessage, host: string) => void;

export type Violation = { readonly name: string; readonly what: string; readonly at: number };

/** A whole farm, with everything that may go wrong in it. */
export type World = {
  readonly settings: Settings;
  readonly loop: Loop;
  readonly journal: Journal;
  readonly random: Random;
  readonly network: Network;
  readonly share: Volume;
  /** One, or several that share a store. */
  readonly coordinators: readonly Machine[];
  /** The store of several coordinators. */
  readonly server?: StoreServer | undefined;
  /** On whose disk the store lies. */
  readonly storeAt: Machine;
  readonly agents: readonly Machine[];
  readonly storeTrouble: StoreTrouble;
  readonly people: ReturnType<typeof createPeople>;
  readonly sources: Sources;
  readonly farm: () => Farm | undefined;
  /** The coordinator that leads, if one does, and how it gives that away. */
  readonly leader: () => { readonly machine: Machine; readonly lead: Lead } | undefined;
  /** How long after the end of a lease another coordinator led, each time. */
  readonly takeoverMs: readonly number[];
  readonly violations: Violation[];
  readonly coverage: Coverage;
  /** Invariants that were checked, one by one. */
  readonly checks: () => number;
  /** How often a task ended for good. */
  readonly endings: () => number;
  /** Whether machines that die start again by themselves. */
  isKept: boolean;
  /** Whether some machine did not always see the present state of the share. */
  isViewLate: boolean;
  readonly checkEnd: () => void;
  /** Called when a message leaves an agent, before it is under way. */
  readonly listeners: Set<Listener>;
  readonly violate: (name: string, what: string) => void;
};

/** How often it is asked whether somebody leads. */
const watchMs = 250;

export const openWorld = (settings: Settings, keepsAll = false): World => {
  const loop = createLoop();
  const journal = createJournal(loop.now, keepsAll);
  const random = createRandom(settings.seed);
  const network = createNetwork({ loop, journal, random: random.fork("network") });
  const share = createVolume("share", { isOrdered: settings.isOrdered, isServer: true }, () => beginning + loop.now());
  const sources = makeSources(share, random.fork("sources"), 5);
  const { coordinators, server, storeAt, agents } = openMachines(settings, { loop, journal, random, share });
  const storeTrouble: StoreTrouble = { probability: 0, fates: [], operationMs: settings.storeMs, refusals: 0 };
  const running: RunningFarms = { by: new Map() };
  const farm = () => leaderIn(running)?.[1];
  const secrets = hearSecrets();
  const checker = createChecker({
    ...{ settings, loop, journal, share, coordinators, server, storeAt, agents, farm },
    sent: () => people.sent(),
    acting: () => [...running.by.keys()],
    limits: () => people.limits(),
    openTurns: () => {
      const [machine] = leaderIn(running) ?? [];
      return (machine && running.by.get(machine)?.openTurns()) ?? [];
    },
    isViewLate: () => world.isViewLate,
    secrets: () => secrets,
    isStoreCalm: () =>
      storeTrouble.probability === 0 && storeTrouble.refusals === 0 && storeTrouble.operationMs <= settings.storeMs,
  });
  const broke = (who: string) => (problem: unknown) =>
    checker.violate("no program breaks", `${who}: ${wordsOf(problem)}`);
  const outside = createLife("people", { name: "people", atCall: () => undefined, atFault: broke("people") }, loop);
  for (const machine of agents) machine.onStart = (program, args) => checker.started(machine, program, args);
  for (const machine of [...coordinators, storeAt, ...agents]) machine.onFault = broke(machine.name);
  hearUnheard(broke("a rejection that nobody heard"));
  const note = (kind: string, what: string) => journal.note("people", kind, what);
  const asking = random.fork("addresses");
  const people = createPeople({
    ...{ random: random.fork("people"), life: outside, note, delayMs: () => random.wait(5) },
    onSecret: (secret) => void secrets.add(secret),
    onBroken: broke("an answer"),
    coordinator: () => {
      const asked = server ? asking.one(coordinators) : storeAt;
      const leading = running.by.has(asked) ? asked : leaderNamedBy(asked, server, coordinators);
      const [life, there] = [leading?.life(), leading && running.by.get(leading)];
      return there && life ? { farm: there.farm, life } : undefined;
    },
  });
  const world: World = {
    ...{ settings, loop, journal, random, network, share, coordinators, server, storeAt, agents, storeTrouble, people },
    ...{ sources, takeoverMs: checker.takeoverMs, violations: checker.violations, coverage: checker.coverage },
    farm,
    leader: () => {
      const [machine] = leaderIn(running) ?? [];
      const there = machine && running.by.get(machine);
      return there && { machine, lead: there.lead };
    },
    checks: checker.count,
    endings: checker.endings,
    isKept: true,
    isViewLate: false,
    listeners: new Set(),
    checkEnd: checker.end,
    violate: checker.violate,
  };
  network.onSaid = (node, text, way, host) => {
    const message = checker.said(node, text, way, host);
    if (way === "up") for (const hear of world.listeners) hear(node, message as AgentMessage, host);
  };
  network.onHeard = (node, text, way) => {
    if (way === "up") checker.heard(node, text);
    else checker.heardFrom(node);
  };
  share.onShown = checker.shown;
  keepRunning(world, running, checker);
  if (server) watch(loop, checker.passed);
  return world;
};

type Ground = Pick<World, "loop" | "journal" | "random" | "share">;

/** The machines of a farm, and the server of the database that several coordinators share. */
const openMachines = (settings: Settings, { loop, journal, random, share }: Ground) => {
  const machineOf = (name: string, shares: MachineNeeds["shares"]) =>
    createMachine({
      ...{ name, loop, journal, programs, shares, random: random.fork(name) },
      ...{
        diskKind: { isOrdered: settings.isOrdered, isServer: false },
        rate: 1 + settings.drift * random.between(-1, 1),
      },
    });
  const isAlone = settings.coordinators === 1;
  const first = machineOf(isAlone ? "coordinator" : "coordinator-1", []);
  const agents = Array.from({ length: settings.agents }, (_, nr) => {
    const view = createView(`agent-${nr + 1}`);
    share.views.add(view);
    const agent = machineOf(`agent-${nr + 1}`, [{ at: shareAt, volume: share, view }]);
    agent.desk.owner = settings.owners[nr];
    return agent;
  });
  const others = Array.from({ length: settings.coordinators - 1 }, (_, nr) => machineOf(`coordinator-${nr + 2}`, []));
  const coordinators = [first, ...others];
  const storeAt = isAlone ? first : machineOf("database", []);
  for (const { disk } of new Set([...coordinators, storeAt])) furnish(disk, dataDir);
  for (const { disk, programTrouble } of agents) {
    furnish(disk, agentDir);
    programTrouble.pace = settings.pace;
  }
  const ways = random.fork("ways to the store");
  const server = isAlone ? undefined : createStoreServer(storeAt, loop, () => ways.wait(settings.storeMs / 10));
  return { coordinators, server, storeAt, agents };
};

const watch = (loop: Loop, look: () => void): void => {
  look();
  loop.after(watchMs, () => watch(loop, look));
};

/** Who stands by sends people to the leader. */
const leaderNamedBy = (asked: Machine, server: StoreServer | undefined, all: readonly Machine[]) => {
  if (!asked.door) return undefined;
  const address = server?.lease.current()?.address;
  return all.find((each) => addressOf(each) === address);
};

const wordsOf = (problem: unknown): string =>
  problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
