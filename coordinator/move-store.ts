import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../shared/basics/clock.ts";
import { AppError } from "../shared/basics/errors.ts";
import { Secret } from "../shared/basics/secret.ts";
import { redactText } from "../shared/credentials/redact.ts";
import { checkSealingKey } from "./secrets/sealing-key.ts";
import { createVault, newId } from "./secrets/vault.ts";
import { readSealingKey } from "./store/cipher.ts";
import { moveTables, type TableSum } from "./store/move/move.ts";
import { beginMove, endMove, isPostgres, noteCopied, openStill, type StillStore } from "./store/move/open.ts";
import { moveActions } from "./store/move/tables.ts";
import type { NewTrailLine } from "./store/trail.ts";
import { aboutText, plainText } from "./trail/about.ts";

export type Move = {
  /** `postgres://…`, or the data folder of a coordinator. */
  readonly from: string;
  readonly to: string;
  /** The key that encrypts secrets, in base64; default: the one in the data folder. */
  readonly secretKey: Secret | undefined;
  readonly password: Secret | undefined;
  /** Who moves it and when, for the audit. */
  readonly by: { readonly user: string; readonly at: number };
  readonly clock: Pick<Clock, "every">;
};

/**
 * Copies a farm into an empty store of either engine, while its coordinators stand still. The old store stays as it is, but for
 * lines of its audit. Begun again after a break, it goes on.
 */
export const moveStore = async (move: Move, tell: (sum: TableSum) => void): Promise<void> => {
  const { from, to, clock, password } = move;
  const key = keyFor(move);
  const mover = { holder: `move-store ${newId()}`, clock };
  const source = await openStill({ at: from, password }, key, mover);
  try {
    await checkSealingKey(source.store, createVault("", new Secret(key.toString("base64"))));
    const target = await openStill({ at: to, password }, key, mover);
    try {
      const start = await beginMove(source, target);
      if (start !== "copied") {
        await noteInOld(source, lineOf(move, moveActions[start], "done"));
        await copyAll(move, source, target, tell);
        await Promise.all([source.check(), target.check()]);
        if (!isPostgres(to)) keepKey(to, key); // before it counts as a farm, which is of no use without
        await noteCopied(source, target);
      }
      await endMove(source, target, lineOf(move, "moveStore", "done"));
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};

/** Adds a line and removes no older ones: those are in the new store already. */
const noteInOld = (source: StillStore, line: NewTrailLine): Promise<void> =>
  source.store.trail.add([line], Number.MAX_SAFE_INTEGER);

const copyAll = async (
  move: Move,
  source: StillStore,
  target: StillStore,
  tell: (sum: TableSum) => void,
): Promise<void> => {
  try {
    await moveTables(source.tables, target.tables, tell);
  } catch (problem) {
    const outcome = problem instanceof AppError ? problem.code : "INTERNAL";
    await noteInOld(source, lineOf(move, "moveStore", outcome)).catch(() => undefined); // the problem itself says more
    throw problem;
  }
};

const lineOf = ({ from, to, by: { user, at } }: Move, action: string, outcome: string): NewTrailLine => ({
  ...{ at, who: "this machine", origin: "this machine", action, outcome },
  about: redactText(aboutText({ from: placeName(from), to: placeName(to), user: plainText(user, 100) })),
});

/** An address may hold a password. */
const placeName = (place: string): string => (isPostgres(place) ? new URL(place).host : place);

/** What is sealed moves as it is, so both stores have the same key. */
const keyFor = ({ from, to, secretKey }: Move): Buffer => {
  const folder = [from, to].find((place) => !isPostgres(place) && existsSync(join(place, "secret.key")));
  if (!isPostgres(from) && !existsSync(join(from, "farm.db")))
    throw new AppError("NOT_FOUND", `There is no farm in ${from}: name the data folder that up --data has`);
  if (secretKey !== undefined || folder !== undefined) return readSealingKey(folder ?? "", secretKey);
  throw new AppError(
    "VALIDATION_FAILED",
    "The key that encrypts the farm's secrets is not known: set MEDIAFARM_SECRET_KEY as for its coordinators",
  );
};

const keepKey = (folder: string, key: Buffer): void => {
  const file = join(folder, "secret.key");
  if (!existsSync(file)) writeFileSync(file, key, { mode: 0o600, flag: "wx" });
};
