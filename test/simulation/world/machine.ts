import type { Clock } from "../../../shared/basics/clock.ts";
import type { Journal } from "../engine/journal.ts";
import { createLife, here, type Life, LifeIsOver } from "../engine/life.ts";
import type { Loop } from "../engine/loop.ts";
import type { Random } from "../engine/random.ts";
import { createFiles } from "../system/files.ts";
import type { Running, System } from "../system/machine.ts";
import type { Mounted } from "../system/names.ts";
import type { Program } from "../system/programs.ts";
import type { View } from "../system/view.ts";
import { createVolume, noTrouble, type Volume, type VolumeKind } from "../system/volume.ts";
import type { Owner } from "./settings.ts";

/** 2026-11-01T00:00:00Z. */
export const beginning = Date.UTC(2026, 10, 1);

/** How a program ends without being asked: its process is killed, or its machine loses power. */
export type Death = "killed" | "power cut";

/** Where a death waits: after so many more calls to the system, or at a named moment of the product. */
export type Doom = { readonly death: Death; calls?: number; readonly moment?: string };

export type Machine = System & {
  readonly disk: Volume;
  /** The program that runs on it now. */
  readonly life: () => Life | undefined;
  /** Starts a program: its life is over when it dies. */
  readonly start: (program: () => Promise<unknown>) => Life;
  /** `at` says where, if it is a moment of an attempt or a call. */
  readonly die: (death: Death, at?: string) => void;
  /** Ends the program in an orderly way, once it has done what it had to do. */
  readonly stopped: () => void;
  /** Asks its program to end, as a service manager does; undefined while it cannot be asked. */
  quit: (() => Promise<void>) | undefined;
  doom: Doom | undefined;
  /** Nothing happens to the machine or its disk meanwhile: for checks, which look at it by its own means. */
  readonly calmly: <T>(act: () => T) => T;
  /** How fast its clock runs, and how far the time that it tells people is off. */
  readonly clock: { readonly rate: number; offset: number };
  /** Called when it has died. */
  onDeath: (death: Death, at: string) => void;
  /** Called if its program fails by itself. */
  onFailure: (problem: unknown) => void;
  /** Called for what its program threw and nobody caught. */
  onFault: (problem: unknown) => void;
  /** Called when its program starts another one. */
  onStart: (program: string, args: readonly string[]) => void;
  /** Who owns it, whether he sits there, and since when. */
  readonly desk: { owner: Owner | undefined; isUsed: boolean; since: number };
  /** What it knows of each share. */
  readonly views: readonly View[];
};

export type MachineNeeds = {
  readonly name: string;
  readonly loop: Loop;
  readonly journal: Journal;
  readonly random: Random;
  readonly programs: ReadonlyMap<string, Program>;
  readonly shares: readonly Mounted[];
  readonly diskKind: VolumeKind;
  readonly rate: number;
};

export const createMachine = (needs: MachineNeeds): Machine => {
  const { name, loop, journal, random, programs, shares, diskKind, rate } = needs;
  const disk = createVolume(name, diskKind, () => beginning + loop.now());
  const mounts: readonly Mounted[] = [{ at: "/", volume: disk }, ...shares];
  const files = createFiles(name, mounts, random.fork("files"));
  const running = new Map<number, Running>();
  let [life, lives, lastPid]: [Life | undefined, number, number] = [undefined, 0, 100];
  const note = (kind: string, what?: string) => journal.note(name, kind, what);
  const leave = (): void => {
    life?.end();
    life = undefined;
    running.clear();
    files.closeAll();
    machine.door = undefined;
    machine.doom = undefined;
    machine.quit = undefined;
  };

  const machine: Machine = {
    ...{ name, files, disk, programs, running, note, random: random.fork("machine"), databases: new Map() },
    clock: { rate, offset: 0 },
    doom: undefined,
    quit: undefined,
    programTrouble: { failures: 0, pace: 1 },
    onDeath: () => undefined,
    onFailure: () => undefined,
    onFault: () => undefined,
    onStart: () => undefined,
    started: (program, args) => machine.onStart(program, args),
    desk: { owner: undefined, isUsed: false, since: Number.NEGATIVE_INFINITY },
    views: shares.flatMap(({ view }) => view ?? []),
    atFault: (problem) => machine.onFault(problem),
    life: () => life,
    newPid: () => {
      lastPid += 1;
      return lastPid;
    },
    callMs: (path, isFlush) => {
      const { trouble } = volumeOf(mounts, path);
      return (isFlush ? trouble.flushMs : trouble.callMs) * (0.5 + machine.random.fraction());
    },
    start: (program) => {
      if (life) throw new Error(`${name} already runs`);
      lives += 1;
      const born = createLife(`${name} ${lives}`, machine, loop);
      life = born;
      note("boot");
      born.run(() => {
        program().catch((problem) => {
          if (born.isOver() || problem instanceof LifeIsOver) return;
          machine.onFailure(problem);
        });
      });
      return born;
    },
    calmly: (act) => {
      const [{ doom }, trouble] = [machine, { ...disk.trouble }];
      machine.doom = undefined;
      Object.assign(disk.trouble, noTrouble);
      try {
        return act();
      } finally {
        machine.doom = doom;
        Object.assign(disk.trouble, trouble);
      }
    },
    stopped: leave,
    die: (death, at = "") => {
      if (!life) return;
      note(death === "killed" ? "killed" : "power_cut", at);
      leave();
      if (death === "power cut") {
        disk.cutPower(machine.random);
        for (const { volume } of shares) volume.loseWriter(name, machine.random);
      }
      machine.onDeath(death, at);
    },
    atCall: (what, moment) => {
      const { doom } = machine;
      if (doom?.calls === undefined) return;
      doom.calls -= 1;
      if (doom.calls <= 0) machine.die(doom.death, `${moment} ${what}`);
    },
  };
  return machine;
};

const volumeOf = (mounts: readonly Mounted[], path = "/"): Volume =>
  (mounts.findLast(({ at }) => at !== "/" && path.startsWith(`${at}/`)) ?? mounts[0])?.volume as Volume; // "/" is first

/** The death that waits at this moment of the product comes now, and whoever passes it goes no further. */
export const passMoment = (machine: Machine, moment: string): void => {
  machine.note("moment", moment);
  if (machine.doom?.moment !== moment) return;
  machine.die(machine.doom.death, moment);
  throw new LifeIsOver();
};

/** No timer of Node's is shorter. */
const shortestMs = 1;

/** The clock of the program that runs here, with its machine's faults. */
export const createMachineClock = ({ clock }: Pick<Machine, "clock">, loop: Loop): Clock => {
  const life = here();
  const passed = (): number => loop.now() * clock.rate;
  const begun = passed();
  const after = (ms: number, act: () => void): (() => void) => life.after(Math.max(shortestMs, ms) / clock.rate, act);
  return {
    now: () => Math.floor(beginning + clock.offset + passed()),
    monotonic: () => passed() - begun,
    after,
    every: (ms, act) => {
      let cancel = after(ms, again);
      function again(): void {
        cancel = after(ms, again);
        act();
      }
      return () => cancel();
    },
  };
};
