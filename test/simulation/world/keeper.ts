import type { Farm } from "../../../coordinator/farm.ts";
import type { Life } from "../engine/life.ts";
import type { FolderNode, Volume } from "../system/volume.ts";
import { runAgent } from "./agent.ts";
import type { Checker } from "./checker.ts";
import { runCoordinator } from "./coordinator.ts";
import type { Machine } from "./machine.ts";
import type { World } from "./world.ts";

/** The farm that runs at the moment, and the token that it gave. */
export type RunningFarm = { farm?: Farm | undefined; joinToken?: string };

/** A program that fails so often at its start, one time after the other, never starts again. */
const mostFailures = 100;

/** Starts what is down: at first, and whenever it died. */
export const keepRunning = (world: World, running: RunningFarm, checker: Checker): void => {
  const { coordinator, agents, network, loop, settings, random, storeTrouble, journal } = world;
  const complainOf = (name: string) => (level: string, message: string) => journal.note(name, `log_${level}`, message);
  const lives = new Map<Machine, Life>();
  const failures = new Map<Machine, number>();
  const keep = (machine: Machine, run: () => Promise<unknown>): void => {
    const start = (): void => {
      if (!world.isKept || machine.life()) return;
      // Nobody joins a farm that has not given a token yet.
      if (machine === coordinator || running.joinToken !== undefined) lives.set(machine, machine.start(run));
      else startLater();
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
      const count = (failures.get(machine) ?? 0) + 1;
      failures.set(machine, count);
      if (count === mostFailures) checker.violate("everything starts again", `${machine.name}: ${String(problem)}`);
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
      ...{ onDurable: checker.durable, onSettled: checker.settled },
      complain: complainOf(coordinator.name),
    });
    Object.assign(running, opened);
    failures.delete(coordinator);
  });
  for (const machine of agents) {
    keep(machine, async () => {
      const { joinToken = "" } = running;
      const agent = await runAgent(machine, {
        ...{ loop, network, joinToken, slots: settings.slots },
        complain: complainOf(machine.name),
      });
      failures.delete(machine);
      await agent.ended;
    });
  }
};

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
