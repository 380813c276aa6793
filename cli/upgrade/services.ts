import { existsSync } from "node:fs";
import type { Installation } from "./installation.ts";
import type { Perform } from "./perform.ts";

/** The services of the Debian package; the agent last, because it needs the coordinator. */
const units = ["mediafarm-coordinator.service", "mediafarm-agent.service"];

/** Stops the services of this installation that run. Resolves with what starts them again. */
export const stopServices = async (
  { kind }: Installation,
  perform: Perform,
): Promise<{ readonly start: () => Promise<void> }> => {
  if (kind !== "deb" || !existsSync("/run/systemd/system")) return { start: async () => {} };
  const running: string[] = [];
  for (const unit of units) if ((await stateOf(unit, perform)) === "active") running.push(unit);
  for (const unit of running.toReversed()) await perform(["systemctl", "stop", unit]);
  return {
    start: async () => {
      for (const unit of running) await perform(["systemctl", "start", unit]);
    },
  };
};

const stateOf = async (unit: string, perform: Perform): Promise<string> => {
  const said = await perform(["systemctl", "show", "--property", "ActiveState", "--value", unit]);
  return said.trim();
};
