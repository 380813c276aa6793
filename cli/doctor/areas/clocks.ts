import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Area, Patient } from "../area.ts";
import { type Finding, ok, warn } from "../finding.ts";

const toleratedMs = 5000;
/** systemd's time service makes the second one once the clock is right. */
const [timeService, synchronised] = ["/run/systemd/timesync", "/run/systemd/timesync/synchronized"];

/** The clock of this machine beside the farm's, and beside the files that the farm wrote. */
export const clocks: Area = {
  name: "clocks",
  limitMs: 10_000,
  look: async (patient, signal) => [
    ...(await farmClock(patient, signal)),
    futureFinding(newestWrite(patient.dataDir), patient.clock.now()),
    ...(existsSync(timeService) && !existsSync(synchronised)
      ? [warn("time service", "The system's time service has not set the clock yet", "See timedatectl status.")]
      : []),
  ],
};

const farmClock = async ({ farm, clock }: Patient, signal: AbortSignal): Promise<Finding[]> => {
  if (!farm) return [];
  const asked = clock.now();
  const { now } = await farm.ask("viewFarm", {}, { signal });
  return [farmClockFinding(Date.parse(now) - (asked + clock.now()) / 2)];
};

export const farmClockFinding = (aheadMs: number): Finding => {
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  if (Math.abs(aheadMs) < toleratedMs) return ok("the farm's clock", `It is ${seconds} s from this machine's`);
  const words = `It is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} this machine's`;
  return warn(
    "the farm's clock",
    words,
    "This machine's clock was set while the farm ran: let a time service keep it.",
  );
};

/** When the farm's files were last written: Unix milliseconds, 0 if there are none. */
const newestWrite = (dataDir: string): number =>
  Math.max(
    0,
    ...["farm.db", "farm.db-wal", "secret.key"]
      .map((name) => join(dataDir, "coordinator", name))
      .filter((file) => existsSync(file))
      .map((file) => statSync(file).mtimeMs),
  );

export const futureFinding = (written: number, now: number): Finding =>
  written > now + toleratedMs
    ? warn(
        "this machine's clock",
        `The farm's files were written at ${new Date(written).toISOString()}, which is in the future`,
        "The clock was set back: correct it, and let a time service keep it.",
      )
    : ok("this machine's clock", `${new Date(now).toISOString()}, after everything that the farm wrote`);
