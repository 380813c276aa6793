import type { Batch } from "../../../coordinator/store/batch.ts";
import type { Life } from "../engine/life.ts";
import type { FolderNode, Volume } from "../system/volume.ts";
import { runAgent } from "./agent.ts";
import type { Checker } from "./checker.ts";
import { type CoordinatorNeeds, type RunningCoordinator, runCoordinator } from "./coordinator.ts";
import type { Machine } from "./machine.ts";
import { sharedStore } from "./shared-store.ts";
import { ownStore } from "./store.ts";
import type { World } from "./world.ts";

/** The farms of the coordinators that lead, or think so, and the token that one of them gave. */
export type RunningFarms = {
  readonly by: Map<Machine, Pick<RunningCoordinator, "farm" | "lead" | "openTurns">>;
  joinToken?: string;
};

/** Of those who think that they lead, the last one that began. */
export const leaderIn = ({ by }: RunningFarms): readonly [Machine, RunningCoordinator["farm"]] | undefined => {
  const all = [...by].map(([machine, { farm }]) => [machine, farm] as const);
  return all.sort(([, one], [, other]) => other.epoch - one.epoch)[0];
};

/** A program that fails so often at its start, one time after the other, never starts again. */
const mostFailures = 100;

/** Starts what is down: at first, and whenever it died. */
export const keepRunning = (world: World, running: RunningFarms, checker: Checker): void => {
  const { coordinators, agents, network, loop, settings, random, journal } = world;
  const complainOf = (name: string) => (level: string, message: string) => journal.note(name, `log_${level}`, message);
  const lives = new Map<Machine, Life>();
  const failures = new Map<Machine, number>();
  const begins = new Map<Machine, () => void>();
  const leaves = new Map<Machine, () => void>();
  const keep = (machine: Machine, run: () => Promise<unknown>): void => {
    const isCoordinator = coordinators.includes(machine);
    const start = (): void => {
      if (!world.isKept || machine.life()) return;
      // Nobody joins a farm that has not given a token yet.
      if (isCoordinator || running.joinToken !== undefined) lives.set(machine, machine.start(run));
      else startLater();
    };
    const startLater = (): void => void loop.after(random.wait(settings.restartMs), start);
    const leave = (): void => {
      const life = lives.get(machine);
      machine.stopped();
      if (life) network.dropLife(life);
      running.by.delete(machine);
      startLater();
    };
    machine.onDeath = (death, at) => {
      const kind = isCoordinator ? "coordinator" : "agent";
      if (at !== "") checker.coverage.add("crash points", `${kind} at ${at}`);
      const life = lives.get(machine);
      if (life && death === "killed") network.dropLife(life);
      running.by.delete(machine);
      startLater();
    };
    machine.onFailure = (problem) => {
      journal.note(machine.name, "gave_up", String(problem));
      // Where most calls fail, or none may write or has room, hardly any start succeeds.
      const { errors, isReadOnly, capacity } = machine.disk.trouble;
      const count = errors > 0 || isReadOnly || Number.isFinite(capacity) ? 0 : (failures.get(machine) ?? 0) + 1;
      failures.set(machine, count);
      if (count === mostFailures) checker.violate("everything starts again", `${machine.name}: ${String(problem)}`);
      leave();
    };
    begins.set(machine, start);
    leaves.set(machine, leave);
    start();
  };
  for (const machine of coordinators) {
    const begin = createBeginning(machine, { world, running, checker, complain: complainOf(machine.name) });
    keep(machine, async () => {
      const { farm, close } = await begin(() => begins.get(machine)?.());
      failures.delete(machine);
      machine.quit = async () => {
        running.by.delete(machine);
        await close();
        journal.note(machine.name, "ended");
        leaves.get(machine)?.();
      };
      checker.led(machine, farm);
    });
  }
  for (const machine of agents) {
    keep(machine, async () => {
      const { joinToken = "" } = running;
      const agent = await runAgent(machine, {
        ...{ loop, network, joinToken, slots: settings.slots },
        complain: complainOf(machine.name),
      });
      failures.delete(machine);
      machine.quit = agent.stop;
      await agent.ended;
      journal.note(machine.name, "ended");
      leaves.get(machine)?.();
    });
  }
};

type Beginning = {
  readonly world: World;
  readonly running: RunningFarms;
  readonly checker: Checker;
  readonly complain: (level: string, message: string) => void;
};

/** Starts a coordinator, each time that it is called; gives its farm once it leads, and how it ends. */
const createBeginning = (machine: Machine, { world, running, checker, complain }: Beginning) => {
  const { loop, network, settings, server, coordinators, storeTrouble, journal } = world;
  let gaveAt: number | undefined;
  const openAs: CoordinatorNeeds["openStore"] = (config, onAnswered) => {
    const onDurable = (batch: Batch) => checker.durable(batch, machine);
    const needs = { machine, trouble: storeTrouble, onDurable, onAnswered };
    return server ? sharedStore(server, needs) : ownStore(config, needs);
  };
  return async (startAgain: () => void): Promise<Pick<RunningCoordinator, "farm" | "close">> => {
    const given = gaveAt;
    gaveAt = undefined;
    const { farm, lead, joinToken, openTurns, close } = await runCoordinator(machine, {
      ...{
        loop,
        network,
        timing: settings.timing,
        mostBytes: settings.mostBytes,
        gaveAt: given,
        onSettled: checker.settled,
        complain,
      },
      ...{ onChosen: checker.chosen, onTurns: checker.turns },
      ...(server && { among: amongOthers(machine, coordinators, server.key) }),
      openStore: openAs,
      handsOver: () => void running.by.delete(machine),
      handedOver: () => {
        gaveAt = loop.now();
        journal.note(machine.name, "gave");
        machine.stopped();
        checker.gave(machine);
        startAgain();
      },
    });
    running.by.set(machine, { farm, lead, openTurns });
    running.joinToken ??= joinToken;
    return { farm, close };
  };
};

/** What it is told of the other coordinators; all have the same key. */
const amongOthers = (machine: Machine, all: readonly Machine[], secretKey: string) => ({
  ...{ address: addressOf(machine), secretKey },
  coordinators: all.filter((each) => each !== machine).map(addressOf),
});

/** Where one of several coordinators is found. */
export const addressOf = ({ name }: Pick<Machine, "name">): string => `http://${name}:8700`;

/** What a machine has before anything of the farm is started on it: a folder for its data, and the programs of agents. */
export const furnish = (disk: Volume, dataFolder: string): void => {
  const folder = (at: FolderNode, name: string): FolderNode => {
    const node = disk.newFolder(0o755);
    disk.change([{ folder: at, name, node }]);
    return node;
  };
  folder(disk.root, dataFolder.slice(1));
  folder(disk.root, "dev");
  const usr = folder(disk.root, "usr");
  const bin = folder(usr, "bin");
  for (const name of ["ffmpeg", "ffprobe"]) {
    const node = disk.newFile(0o755);
    disk.change([{ folder: bin, name, node }]);
    disk.write(node, Buffer.from(`the program ${name}`));
    disk.flushFile(node);
  }
  for (const each of [disk.root, usr, bin]) disk.flushFolder(each);
};
