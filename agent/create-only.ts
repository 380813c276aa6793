import { link, open, readFile, rename } from "node:fs/promises";
import type { Checkpoint } from "./checkpoint.ts";
import { hasCode, removeIfThere, statIfThere } from "./disk.ts";
import { isSameFile } from "./file-identity.ts";
import { lacksHardLinks } from "./free-name.ts";

export type Move = { readonly temp: string; readonly final: string; readonly identity: string };

/**
 * Makes a finished file visible only if its name is free: a plain rename would overwrite silently. Says "taken" where
 * something else has the name. Safe to repeat after a crash at any point.
 */
export const createOnly = async (move: Move, checkpoint: Checkpoint): Promise<"created" | "taken"> => {
  const { temp, final } = move;
  try {
    await link(temp, final);
  } catch (error) {
    if (lacksHardLinks(error)) return createReserved(move);
    if (!hasCode(error, "EEXIST")) throw error;
    if (!(await isOurs(move))) return "taken";
  }
  await checkpoint("linked");
  await removeIfThere(temp);
  return "created";
};

const isOurs = async (move: Move): Promise<boolean> => {
  if (await holdsReservation(move)) return createReserved(move).then((result) => result === "created");
  return isSameFile(move.temp, move.final);
};

/**
 * Without hard links: a small file created exclusively reserves the name, then the finished file is renamed over it.
 * Nobody's file is overwritten and no half-written media shows; for a moment the name holds the reservation's line.
 */
const createReserved = async (move: Move): Promise<"created" | "taken"> => {
  const isReserved = (await reserve(move)) || (await holdsReservation(move));
  if (!isReserved) return "taken";
  await rename(move.temp, move.final);
  return "created";
};

const reservationOf = ({ identity }: Move): string => `reserved for ${identity}\n`;

const reserve = async (move: Move): Promise<boolean> => {
  try {
    const file = await open(move.final, "wx");
    await file.writeFile(reservationOf(move)).finally(() => file.close());
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
};

const holdsReservation = async (move: Move): Promise<boolean> => {
  const text = reservationOf(move);
  const stats = await statIfThere(move.final);
  return stats?.isFile() === true && stats.size === text.length && (await readFile(move.final, "utf8")) === text;
};
