import type { Clock } from "../../shared/basics/clock.ts";
import type { EndedTask } from "../../shared/lending/lending.ts";
import type { Attempts } from "../attempt/attempts.ts";
import type { AgentConfig } from "../config.ts";
import type { Workdir } from "../disk/workdir.ts";
import type { Log } from "../log.ts";
import type { Run } from "../process/run.ts";
import type { Suspension } from "../process/suspension.ts";
import { createFarmTime } from "./farm-time.ts";
import { openLedger } from "./ledger.ts";
import { createLending, type Lending, type LendingNeeds } from "./lending.ts";
import { createSenses, type Senses } from "./senses.ts";

/** The connection to a computer's owner and desktop; a headless node has neither. */
export type LendingOptions = Pick<LendingNeeds, "onReport" | "onPressSpent"> & {
  /** Replaces the sensors of this machine. */
  readonly senses?: Senses;
  readonly platform?: NodeJS.Platform;
};

type OpenNeeds = LendingOptions &
  Pick<LendingNeeds, "onStanding" | "suspension"> & {
    readonly config: Pick<AgentConfig, "lending" | "press" | "roots" | "display">;
    readonly clock: Clock;
    readonly log: Log;
    readonly run: Run;
    readonly suspension: Suspension;
    readonly workdir: Pick<Workdir, "path" | "ledger">;
    readonly attempts: Pick<Attempts, "running" | "giveBack">;
  };

/** Lending on this machine, with its sensors and its ledger. */
export const openLending = async (
  needs: OpenNeeds,
): Promise<Lending & { readonly taskEnded: (task: Omit<EndedTask, "at">) => void }> => {
  const { config, clock, log, run, suspension, workdir, attempts, platform = process.platform } = needs;
  const ledger = await openLedger(workdir.ledger, clock, log);
  const senses =
    needs.senses ??
    createSenses({
      clock,
      run,
      folders: [workdir.path, ...config.roots],
      farmMs: createFarmTime(suspension.pids),
      farmPids: suspension.pids,
      platform,
      display: config.display,
    });
  const lending = createLending({
    ...needs,
    rules: config.lending,
    press: config.press,
    senses,
    ledger,
    platform,
    running: attempts.running,
    giveBack: attempts.giveBack,
  });
  return { ...lending, taskEnded: ledger.taskEnded };
};
