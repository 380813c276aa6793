import { setTimeout as pause } from "node:timers/promises";
import { hasCode } from "../../agent/disk/file-system.ts";
import { stop } from "../helpers/processes/farm-processes.ts";
import { audit, type Findings, leftBehind } from "./audit.ts";
import { faults } from "./faults.ts";
import { agentNames, type ChaosChoices, openWorld, type World } from "./world.ts";

const patienceMs = 120_000;

export type ChaosResult = {
  readonly findings: Findings;
  /** Jobs whose ids were answered. */
  readonly jobs: number;
  /** Whether each death that was planned came about. */
  readonly deaths: readonly boolean[];
};

/** One fault after the other on one farm, then an audit. */
export const runChaos = async (choices: ChaosChoices, names: readonly string[]): Promise<ChaosResult> => {
  // A liar that is the only node for a moment uses up retries one after the other, as it may: here it goes before they do.
  await using world = await openWorld(choices, names.includes("an agent lies") ? 1000 : 5);
  await Promise.all(agentNames.map((name) => world.startAgent(name)));
  for (const name of names) {
    const fault = faults.get(name);
    if (!fault) throw new Error(`There is no fault "${name}"`);
    await fault(world);
  }
  const stuck = await untilAllEnded(world);
  await untilLetGo(world);
  for (const name of agentNames) await stop(world.agent(name));
  await stop(world.farm.coordinator());
  const found = await audit(world);
  const findings = { ...found, stuck: [...stuck, ...found.stuck] };
  return { findings, jobs: world.expected.length, deaths: world.deaths };
};

const untilAllEnded = async ({ farm }: World): Promise<string[]> => {
  const end = performance.now() + patienceMs;
  const filters = [{ field: "status" as const, values: ["queued", "active"] }];
  for (;;) {
    const open = await farm.client.countJobs({ filters }).catch(() => ({ count: -1 }));
    if (open.count === 0) return [];
    if (performance.now() > end) return [`${open.count} jobs did not end`];
    await pause(200);
  }
};

/** An agent whose task another one finished hears of it, and clears up, when it is back: what it never does, the audit tells. */
const untilLetGo = async (world: World): Promise<void> => {
  const end = performance.now() + patienceMs / 2;
  while (isClearingUp(world) && performance.now() < end) await pause(200);
};

/** A folder that goes while it is looked into is one that is cleared up. */
const isClearingUp = (world: World): boolean => {
  try {
    return leftBehind(world).length > 0;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return true;
    throw error;
  }
};
