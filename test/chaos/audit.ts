import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { readIdentity } from "../../agent/storage/file/identity.ts";
import { isTempName } from "../../shared/work/temp-names.ts";
import type { Intent } from "../../shared/work/work.ts";
import { openEnds, readStore, type StoreImage, strayAttempts, strayTasks } from "../helpers/farm/store-audit.ts";
import { probe } from "../helpers/media/media-tools.ts";
import { agentNames, type Expected, type World } from "./world.ts";

/** What should never have happened, by what it would be. */
export type Findings = Readonly<Record<"lost" | "stuck" | "ungranted" | "leftBehind" | "unlike", readonly string[]>>;

/** Looks at what lies on the disks once every program has ended. */
export const audit = async (world: World): Promise<Findings> => {
  const store = readStore(world.farm.database);
  const there = new Set(store.jobs.map(({ id }) => String(id)));
  const failed = store.jobs.filter(({ status }) => status === "failed").map(({ id, error }) => `job ${id}: ${error}`);
  const shown = await Promise.all(world.expected.map((each) => wrongWith(world, each)));
  return {
    lost: [...world.expected.filter(({ id }) => !there.has(id)).map(({ id }) => `job ${id} is lost`), ...failed],
    stuck: [openEnds, strayTasks, strayAttempts].flatMap((check) => check(store)),
    ungranted: [...shown.flat(), ...(await strangers(store))],
    leftBehind: leftBehind(world),
    unlike: world.farm.differences(),
  };
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

/** What a completed task shows are the very bytes that it was granted to show. */
const strangers = async ({ tasks }: StoreImage): Promise<string[]> => {
  const wrong: string[] = [];
  for (const { id, state, intent } of tasks) {
    if (state !== "completed" || intent === null) continue;
    const { files }: Intent = JSON.parse(intent);
    for (const { final, identity } of files) {
      const found = await readIdentity(decodeURIComponent(new URL(final).pathname));
      if (found?.identity !== identity) wrong.push(`task ${id} shows other bytes at ${final} than it was granted`);
    }
  }
  return wrong;
};

/** No hidden file of any attempt, and nothing that an agent still means to hand in. */
export const leftBehind = ({ farm }: World): string[] => {
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
