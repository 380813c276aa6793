import { link, open, readFile, rename } from "node:fs/promises";
import type { Checkpoint } from "../../checkpoint.ts";
import { hasCode, lstatIfThere, removeIfThere, statIfThere } from "../../disk/file-system.ts";
import { isSameFile } from "./identity.ts";
import { lacksHardLinks } from "./second-name.ts";

/** Paths in folders that were checked. */
export type PathMove = { readonly temp: string; readonly final: string; readonly identity: string };

/**
 * Publishes a finished file only if its name is free: a plain rename would overwrite silently. Returns "taken" if
 * something else has the name. Safe to repeat after a crash at any point.
 */
export const createOnly = async (move: PathMove, checkpoint: Checkpoint): Promise<"created" | "taken"> => {
  const { temp, final } = move;
  try {
    await link(temp, final);
  } catch (error) {
    if (lacksHardLinks(error)) return createReserved(move);
    if (!hasCode(error, "EEXIST")) throw error;
    if (await holdsReservation(move)) return createReserved(move);
    if (!(await isSameFile(temp, final))) return "taken";
  }
  await checkpoint("linked");
  await removeIfThere(temp);
  return "created";
};

type FoundMove = Omit<PathMove, "temp"> & { readonly temp: string | undefined };

/** Whether this move gave or reserved the name: an interrupted one may have left both names. */
export const isOurs = async ({ temp, final, identity }: FoundMove): Promise<boolean> => {
  if (!(await lstatIfThere(final))) return false;
  if (await holdsReservation({ final, identity })) return true;
  return temp !== undefined && (await lstatIfThere(temp)) !== undefined && isSameFile(temp, final);
};

/**
 * Without hard links: a small file created exclusively reserves the name, then the finished file is renamed over it. No
 * other file is overwritten and no half-written media is visible; for a moment the name holds the reservation's line.
 */
const createReserved = async (move: PathMove): Promise<"created" | "taken"> => {
  const isReserved = (await reserve(move)) || (await holdsReservation(move));
  if (!isReserved) return "taken";
  await rename(move.temp, move.final);
  return "created";
};

type Name = Pick<PathMove, "final" | "identity">;

const reservationOf = ({ identity }: Name): string => `reserved for ${identity}\n`;

const reserve = async (move: PathMove): Promise<boolean> => {
  try {
    const file = await open(move.final, "wx");
    await file.writeFile(reservationOf(move)).finally(() => file.close());
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
};

const holdsReservation = async (move: Name): Promise<boolean> => {
  const text = reservationOf(move);
  const stats = await statIfThere(move.final);
  return stats?.isFile() === true && stats.size === text.length && (await readFile(move.final, "utf8")) === text;
};
