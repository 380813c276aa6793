import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createRun } from "../../agent/process/run.ts";
import { sleep } from "../../shared/basics/clock.ts";
import { AppError } from "../../shared/basics/errors.ts";
import type { Call } from "../command/command.ts";
import { dataFolderOf } from "../farms/chosen-farm.ts";
import { openMachine } from "../farms/machine.ts";
import { performAsOwner } from "./as-owner.ts";
import { type Installation, installationAt } from "./installation.ts";
import { packagingOf } from "./packagings.ts";
import { createPerform } from "./perform.ts";
import { stopServices } from "./services.ts";

const debianData = "/var/lib/mediafarm";
const returnMs = 90_000;
const lookMs = 500;

/** What upgrading and going back need of this machine. Throws AppError for a program that came in another way than as a package. */
export const openUpgrade = async (call: Call) => {
  const { world, values } = call;
  const installation = installationAt(import.meta.dirname.replaceAll("\\", "/"));
  if (installation === undefined)
    throw new AppError(
      "CONFLICT",
      "This Mediafarm was not installed from a package: docs/operating.md says how a clone is upgraded; the desktop app does it by itself",
    );
  const dataDir = dataDirOf(call, installation);
  const perform = createPerform(createRun({ clock: world.clock, env: textsIn(world.env) }));
  const isRunning = async (): Promise<boolean> => {
    try {
      await openMachine({ ...values, data: dataDir }, world.env).request("viewFarm", {});
      return true;
    } catch {
      return false; // it says in its own words why, where somebody asks it
    }
  };
  return {
    dataDir,
    packaging: packagingOf(installation, perform),
    program: [process.execPath, resolve(process.argv[1] ?? "")],
    performAsOwner: performAsOwner(perform, dataDir),
    now: world.clock.now(),
    /** Whether installing restarts a farm that runs. */
    isRestarted: installation.kind === "deb" && existsSync("/run/systemd/system"),
    isRunning,
    /** Whether the farm answers within a while. */
    runsAgain: async (): Promise<boolean> => {
      const end = world.clock.monotonic() + returnMs;
      while (world.clock.monotonic() < end) {
        if (await isRunning()) return true;
        await sleep(world.clock, lookMs);
      }
      return false;
    },
    stopServices: () => stopServices(installation, perform),
  };
};

/** The services of the Debian package have a folder of their own. */
const dataDirOf = ({ values, world }: Call, { kind }: Installation): string =>
  kind === "deb" && values.data === undefined && values.farm === undefined
    ? debianData
    : resolve(dataFolderOf(values, world.env));

const textsIn = (env: Call["world"]["env"]): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
