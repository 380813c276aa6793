import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../shared/basics/clock.ts";
import type { Run } from "../process/run.ts";

type InputNeeds = {
  readonly clock: Clock;
  readonly run: Run;
  readonly platform: NodeJS.Platform;
  /** Where Linux lists its devices and counters. */
  readonly devFolder?: string;
  readonly interruptsFile?: string;
};

/**
 * How long nobody has touched this machine, where there is no desktop. macOS reports it. On Linux, terminals record the
 * last key press, and built-in keyboards and mice have interrupt counters. Windows does not report it to a service.
 */
export const createInputWatch = (needs: InputNeeds): (() => Promise<number | undefined>) => {
  if (needs.platform === "darwin") return () => askMac(needs.run);
  if (needs.platform === "linux") return createLinuxWatch(needs);
  return async () => undefined;
};

const askMac = async (run: Run): Promise<number | undefined> => {
  const { stdout } = await run({ command: "ioreg", args: ["-c", "IOHIDSystem", "-d", "4"], limitMs: 5000 });
  return macIdleMs(stdout);
};

/** In nanoseconds, as printed by the device registry. */
export const macIdleMs = (text: string): number | undefined => {
  const nanoseconds = /"HIDIdleTime" = (\d+)/.exec(text)?.[1];
  return nanoseconds === undefined ? undefined : Math.round(Number(nanoseconds) / 1e6);
};

const createLinuxWatch = ({ clock, devFolder = "/dev", interruptsFile = "/proc/interrupts" }: InputNeeds) => {
  let count: number | undefined;
  let movedAt: number | undefined;
  return async (): Promise<number | undefined> => {
    const typed = await lastTyped(devFolder);
    const now = inputInterrupts(await readFile(interruptsFile, "utf8").catch(() => ""));
    if (count !== undefined && now !== undefined && now !== count) movedAt = clock.monotonic();
    count = now;
    const since = [
      ...(typed === undefined ? [] : [Math.max(0, clock.now() - typed)]),
      ...(movedAt === undefined ? [] : [clock.monotonic() - movedAt]),
    ];
    return since.length === 0 ? undefined : Math.min(...since);
  };
};

/** Every key press updates a terminal's access time, as `w` shows. */
const lastTyped = async (devFolder: string): Promise<number | undefined> => {
  const terminals = await readdir(join(devFolder, "pts")).catch(() => []);
  const times = await Promise.all(
    terminals
      .filter((name) => /^\d+$/.test(name))
      .map((name) =>
        stat(join(devFolder, "pts", name)).then(
          ({ atimeMs }) => atimeMs,
          () => 0, // it was closed just now
        ),
      ),
  );
  return times.length === 0 ? undefined : Math.max(...times);
};

/** Only built-in keyboards and mice: those on USB share their counter with disks. */
export const inputInterrupts = (text: string): number | undefined => {
  const lines = text.split("\n").filter((line) => /\bi8042\b/.test(line));
  if (lines.length === 0) return undefined;
  return lines.reduce((sum, line) => sum + counted(line), 0);
};

const counted = (line: string): number =>
  line
    .trim()
    .split(/\s+/)
    .slice(1)
    .filter((word) => /^\d+$/.test(word))
    .reduce((sum, word) => sum + Number(word), 0);
