import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isTempName } from "../../agent/temp-name.ts";
import { stop } from "../helpers/farm-processes.ts";
import { probe } from "../helpers/media-tools.ts";
import { openEnds, readStore, strayAttempts, strayTasks } from "../helpers/store-audit.ts";
import { faults } from "./faults.ts";
import { agentNames, type ChaosChoices, type Expected, openWorld, type World } from "./world.ts";

const patienceMs = 120_000;

/** One fault after the other on one farm, then an audit. `violations`: what should never have happened. */
export const runChaos = async (choices: ChaosChoices, names: readonly string[]) => {
  await using world = await openWorld(choices);
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
  const store = readStore(world.farm.database);
  const there = new Set(store.jobs.map(({ id }) => String(id)));
  const lost = world.expected.filter(({ id }) => !there.has(id)).map(({ id }) => `job ${id} is lost`);
  const failed = store.jobs.filter(({ status }) => status === "failed").map(({ id, error }) => `job ${id}: ${error}`);
  const shown = await Promise.all(world.expected.map((each) => wrongWith(world, each)));
  const checks = [openEnds, strayTasks, strayAttempts].flatMap((check) => check(store));
  const violations = [...(stuck ? [stuck] : []), ...lost, ...failed, ...checks, ...shown.flat(), ...leftBehind(world)];
  return { violations, deaths: world.deaths };
};

const untilAllEnded = async ({ farm }: World): Promise<string | undefined> => {
  const end = performance.now() + patienceMs;
  const filters = [{ field: "status" as const, values: ["queued", "active"] }];
  for (;;) {
    const open = await farm.client.countJobs({ filters }).catch(() => ({ count: -1 }));
    if (open.count === 0) return undefined;
    if (performance.now() > end) return `${open.count} jobs did not end`;
    await pause(200);
  }
};

/** An agent whose task another one finished hears of it, and clears up, when it is back: what it never does, the audit tells. */
const untilLetGo = async (world: World): Promise<void> => {
  const end = performance.now() + patienceMs / 2;
  while (leftBehind(world).length > 0 && performance.now() < end) await pause(200);
};

/** A job's folder holds its one file, whole, and nothing else. */
const wrongWith = async ({ source, isReal }: World, { id, folder, name }: Expected): Promise<string[]> => {
  const names = namesIn(folder);
  if (names.join() !== name) return [`job ${id} shows ${names.join(", ") || "nothing"} instead of ${name}`];
  const path = join(folder, name);
  if (name === basename(source)) {
    return readFileSync(path).equals(readFileSync(source)) ? [] : [`job ${id} shows other bytes than were copied`];
  }
  const { video } = await probe(path);
  return isReal && video[0]?.frames === 50 ? [] : [`job ${id} shows ${video[0]?.frames} frames instead of 50`];
};

/** No hidden file of any attempt, and nothing that an agent still means to hand in. */
const leftBehind = ({ farm }: World): string[] => {
  const hidden = readdirSync(farm.folder, { recursive: true, encoding: "utf8" }).filter((each) =>
    isTempName(basename(each)),
  );
  const kept = agentNames.flatMap((name) =>
    ["attempts", "outbox"].flatMap((each) => namesIn(join(farm.dataOf(name), each)).map((file) => `${each}/${file}`)),
  );
  return [...hidden, ...kept].map((file) => `${file} is left behind`);
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nothing was made there
  }
};
