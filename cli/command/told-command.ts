import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { leaveLine } from "../../coordinator/trail/left-lines.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { userAt } from "../terminal/user.ts";
import type { World } from "../terminal/world.ts";

type About = Readonly<Record<string, string | number | boolean | null>>;

export type ToldCommand = {
  /** The farm's data folder. */
  readonly dataDir: string;
  readonly action: string;
  readonly about: About;
};

/**
 * Does what changes a farm, or copies its secrets, without asking the farm: it leaves a line for the farm's audit beside the
 * database, also where it fails. A folder without a farm, before and afterwards, gets none.
 */
export const toldCommand = async <T>(
  { env, clock }: Pick<World, "env" | "clock">,
  { dataDir, action, about }: ToldCommand,
  deed: () => Promise<T> | T,
  known: (done: T) => About = () => ({}),
): Promise<T> => {
  const folder = join(dataDir, "coordinator");
  const hasFarm = () => existsSync(join(folder, "farm.db"));
  const user = userAt({ env });
  const at = clock.now();
  const begin = () => asOwnerOf(folder, () => leaveLine(folder, { at, user, action, about }));
  const before = hasFarm() ? begin() : undefined;
  const end = (outcome: string, more: About = {}) => {
    if (hasFarm()) asOwnerOf(folder, () => (before ?? begin())(outcome, more));
  };
  try {
    const done = await deed();
    end("done", known(done));
    return done;
  } catch (problem) {
    if (before) end(problem instanceof AppError ? problem.code : "INTERNAL");
    throw problem;
  }
};

/**
 * An administrator's program writes as the user to whom the folder belongs: what it wrote itself the farm could not read, and a link
 * that lies there would lead it elsewhere.
 */
const asOwnerOf = <T>(folder: string, write: () => T): T => {
  const { uid, gid } = lstatSync(folder);
  if (process.getuid?.() !== 0 || uid === 0) return write();
  process.setegid?.(gid);
  process.seteuid?.(uid);
  try {
    return write();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
};
