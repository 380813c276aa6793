import { hash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { redactText } from "../../shared/credentials/redact.ts";
import type { Ground } from "../ground.ts";
import { isAlive } from "../is-alive.ts";
import { writeDurably } from "../store/durable-file.ts";
import type { Store } from "../store/store.ts";
import { keptLines, type NewTrailLine } from "../store/trail.ts";
import { aboutText, type Facts, plainText } from "./about.ts";

/**
 * Commands that need no running farm, such as a restore, leave their lines in this folder beside the database, one a file.
 * The farm adds them to the chain as soon as it runs. Only whoever owns the data folder can write there.
 */
const folderName = "audit";
const [leftEnding, begunEnding, brokenEnding] = [".json", ".begun", ".broken"];
const [mostBytes, mostAtOnce] = [16_000, 500];

const leftLine = z.strictObject({
  at: z.number().int().nonnegative().max(8.64e15),
  /** The user of the machine. */
  user: z.string().max(200),
  pid: z.number().int().positive(),
  action: z.string().regex(/^\w{1,40}$/),
  outcome: z.string().regex(/^\w{1,60}$/),
  about: z.record(z.string().regex(/^\w{1,40}$/), z.union([z.string().max(2000), z.number(), z.boolean(), z.null()])),
});
type LeftLine = z.output<typeof leftLine>;

/** Of a command that was killed on its way: nobody knows how far it came. */
const unfinished = "UNFINISHED";

export type LeftNote = Pick<LeftLine, "at" | "user" | "action"> & { readonly about: Facts };

/** Lines that this process left: each has an id of its own. */
let left = 0;

/**
 * Leaves the beginning of a command beside the farm's database, durably: its line is there even if the command is killed.
 * Returns what completes it: the outcome, and what is known only then.
 */
export const leaveLine = (dataDir: string, note: LeftNote): ((outcome: string, about?: Facts) => void) => {
  const folder = join(dataDir, folderName);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  left += 1;
  const id = hash("sha256", JSON.stringify([note, process.pid, left])).slice(0, 16);
  const name = join(folder, `${note.at}-${id}`);
  const write = (ending: string, outcome: string, about: Facts): void => {
    const line = { ...note, pid: process.pid, outcome, about: { ...note.about, ...about } };
    writeDurably(`${name}${ending}`, JSON.stringify(line), "wx");
  };
  write(begunEnding, unfinished, {});
  return (outcome, about = {}) => {
    write(leftEnding, outcome, about);
    rmSync(`${name}${begunEnding}`, { force: true });
  };
};

type Needs = Pick<Ground, "log"> & { readonly store: Pick<Store, "trail"> };

/** Adds the lines that commands left to the chain, the oldest first, and removes their files. Each is added once. */
export const takeLeftLines = async ({ log, store }: Needs, dataDir: string): Promise<void> => {
  const folder = join(dataDir, folderName);
  let taken = 0;
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    const found = readLeft(folder, name);
    if (found === "not yet") continue;
    if (found === "completed") rmSync(file, { force: true });
    else if (found === "broken") putAside(log, file);
    else {
      await addOnce(store, lineOf(name, found), markOf(name));
      rmSync(file, { force: true });
    }
    taken += 1;
    if (taken === mostAtOnce) return;
  }
};

/** Others must not wait behind it, so what cannot be renamed either stays where it is. */
const putAside = (log: Needs["log"], file: string): void => {
  log.error({ file }, "a line that a command left for the audit cannot be read");
  try {
    renameSync(file, `${file}${brokenEnding}`);
  } catch (problem) {
    log.error({ file, err: problem }, "a line that cannot be read cannot be put aside either");
  }
};

/** By their times, which stand first in their names. */
const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d{1,16}-[0-9a-f]{16}\.(?:json|begun)$/.test(name))
      .sort();
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === "ENOENT") return []; // fs throws these
    throw problem;
  }
};

const readLeft = (folder: string, name: string): LeftLine | "not yet" | "completed" | "broken" => {
  const file = join(folder, name);
  if (name.endsWith(begunEnding) && existsSync(file.slice(0, -begunEnding.length) + leftEnding)) return "completed";
  const { uid } = lstatSync(folder);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found) return "not yet";
  if (!found.isFile() || found.size > mostBytes || found.uid !== uid) return "broken";
  const parsed = leftLine.safeParse(jsonOf(readFileSync(file, "utf8")));
  if (!parsed.success) return "broken";
  return name.endsWith(begunEnding) && isAlive(parsed.data.pid) ? "not yet" : parsed.data;
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no line, as its schema says
  }
};

const lineOf = (name: string, { at, user, action, outcome, about }: LeftLine): NewTrailLine => ({
  ...{ at, who: thisMachine, origin: thisMachine, action, outcome },
  about: `${markOf(name)} ${redactText(aboutText({ ...about, user: plainText(user, 100) }))}`,
});

/** As the command line on the coordinator's machine is called that asks a running farm. */
const thisMachine = "this machine";

/** Begins what the line says: nothing that a command was given can stand in its place, or push it out. */
const markOf = (name: string): string => `line=${/-([0-9a-f]{16})\./.exec(name)?.[1] ?? ""}`;

/** A coordinator that ended between adding a line and removing its file finds the file again. */
const addOnce = async (store: Needs["store"], line: NewTrailLine, mark: string): Promise<void> => {
  const known = await store.trail.find({ text: mark }, mostAlike);
  const isThere = known.some(({ outcome, about }) => outcome === line.outcome && about.startsWith(`${mark} `));
  if (!isThere) await store.trail.add([line], keptLines);
};

/** Lines that say the same mark: its own of the beginning and the end, and others that quote it. */
const mostAlike = 1000;
