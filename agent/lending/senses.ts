import { readdir } from "node:fs/promises";
import type { Clock } from "../../shared/basics/clock.ts";
import type { Battery, NodeLoad } from "../../shared/lending/lending.ts";
import type { Run } from "../process/run.ts";
import { createBackgroundValue } from "./background-value.ts";
import { fullestDisk } from "./disks.ts";
import { queryFullScreen } from "./full-screen.ts";
import { queryGpu } from "./gpu.ts";
import { createInputWatch } from "./input.ts";
import { createLoadMeter } from "./load.ts";
import { queryPrograms } from "./programs.ts";
import type { Sensed } from "./situation.ts";

/** A desktop's information about its user, which is better than what devices show. */
export type DesktopReport = Pick<Sensed, "idleMs" | "isOnBattery" | "isAsleep">;

export type Reading = { readonly sensed: Sensed; readonly load?: NodeLoad; readonly battery?: Battery };

/** What costs something to find out. */
type Wants = { readonly fullScreen: boolean; readonly battery: boolean; readonly programs?: boolean };

export type Senses = {
  /** Everything known at this moment; never waits. */
  readonly read: (wants: Wants) => Reading;
  readonly tell: (told: DesktopReport) => void;
};

export type SensesNeeds = {
  readonly clock: Clock;
  /** Starts small programs that query the system; it must not be suspended with the work. */
  readonly run: Run;
  /** Folders on the disks that tasks write to. */
  readonly folders: readonly string[];
  readonly farmMs: () => number | undefined;
  /** The farm's own programs. */
  readonly farmPids?: () => readonly number[];
  readonly platform: NodeJS.Platform;
  /** Environment variables that programs need to query the screen. */
  readonly display: Readonly<Record<string, string>>;
};

/** After this silence, a desktop's information counts as outdated. */
const oldMs = 10_000;

export const createSenses = (needs: SensesNeeds): Senses => {
  const { clock, run, folders } = needs;
  const disk = createBackgroundValue(clock, 2000, () => fullestDisk(folders));
  const idle = createBackgroundValue(clock, 1000, createInputWatch(needs));
  const power = createBackgroundValue(clock, 30_000, askBattery);
  const screen = createBackgroundValue(clock, 10_000, () => queryFullScreen(run, needs.platform, needs.display));
  const { farmPids = () => [] } = needs;
  const programs = createBackgroundValue(clock, 3000, () => queryPrograms(run, needs.platform, farmPids));
  const gpu = createBackgroundValue(clock, 5000, () => queryGpu(run));
  const meter = createLoadMeter(needs);
  let told: DesktopReport = {};
  let toldAt = Number.NEGATIVE_INFINITY;

  return {
    tell: (more) => {
      told = { ...told, ...more };
      toldAt = clock.monotonic();
    },
    read: (wants) => {
      const load = meter();
      const fullest = disk();
      const isFresh = clock.monotonic() - toldAt < oldMs;
      const known = isFresh ? told : { isAsleep: told.isAsleep };
      const battery = wants.battery || isFresh ? power() : undefined;
      const sensed: Sensed = {
        idleMs: known.idleMs ?? idle(),
        othersLoad: load?.othersLoad,
        isOnBattery: known.isOnBattery ?? battery?.isUsed,
        isFullScreen: wants.fullScreen ? screen() : undefined,
        programs: wants.programs ? programs() : undefined,
        disk: fullest,
        isAsleep: told.isAsleep,
      };
      return { sensed, load: load && loadOf(load, fullest, gpu()), battery };
    },
  };
};

const askBattery = async (): Promise<Battery | undefined> => {
  if (process.platform === "linux" && !(await hasPowerSupply())) return undefined;
  // Loaded only on a machine that may have a battery: an agent's memory makes each of its programs dearer to start.
  const { default: systeminformation } = await import("systeminformation");
  const { hasBattery, acConnected, percent } = await systeminformation.battery();
  return hasBattery ? { isUsed: !acConnected, percent: Math.min(100, Math.max(0, percent)) } : undefined;
};

const hasPowerSupply = async (): Promise<boolean> =>
  (await readdir("/sys/class/power_supply").catch(() => [])).length > 0; // a system without that folder has none

type Load = NonNullable<ReturnType<ReturnType<typeof createLoadMeter>>>;

const loadOf = (load: Load, disk: Sensed["disk"], gpu: number | undefined): NodeLoad => {
  const { othersLoad: _, ...rest } = load;
  return { ...rest, disk: disk && { free: disk.free, total: disk.total }, ...(gpu !== undefined && { gpu }) };
};
