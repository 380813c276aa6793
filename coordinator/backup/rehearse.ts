import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { AppError, messageOf } from "../../shared/basics/errors.ts";
import type { Secret } from "../../shared/basics/secret.ts";
import { createCipher, readSealingKey } from "../store/cipher.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { restoreBackup, takeBackup } from "./backup.ts";

/** What is known once this program has taken over a copy of a farm. */
export type Rehearsal = {
  /** The versions of the program that made the backup, and of this one. */
  readonly from: string;
  readonly to: string;
  /** The versions of the database, before and after. */
  readonly schema: { readonly from: number; readonly to: number };
  readonly jobs: number;
};

/**
 * Takes over the farm of a backup as the first start after an upgrade does, in `scratch`, an empty folder: restores it, changes its
 * database, opens it with its key, and checks every page of what came of it. Nothing is sent and nothing else is touched.
 * Throws AppError for what would go wrong.
 */
export const rehearse = async (file: string, scratch: string, secretKey?: Secret): Promise<Rehearsal> => {
  const folder = join(scratch, "coordinator");
  const before = restoreBackup(file, folder);
  const wanted = { dataDir: folder, store: undefined, storePassword: undefined, secretKey };
  const store = await openStore(wanted).catch((cause) => {
    if (cause instanceof AppError) throw cause;
    throw new AppError("CONFLICT", `The database of ${file} cannot be changed: ${messageOf(cause)}`, { cause });
  });
  const key = secretKey && readSealingKey(folder, secretKey);
  const states = await readAll(store, file, key).finally(store.close);
  const after = takeBackup(folder, join(scratch, "after.backup"), before.made);
  const counted = states.reduce((sum, { n }) => sum + n, 0);
  if (after.jobs !== before.jobs || counted !== before.jobs)
    throw new AppError("CONFLICT", `${file} holds ${before.jobs} jobs, and after the upgrade there are ${after.jobs}`);
  return {
    ...{ from: before.program, to: packageJson.version, jobs: after.jobs },
    schema: { from: before.schema, to: after.schema },
  };
};

/** The farm's own secret, with the key that this program would have. */
const tryGivenKey = async (store: Store, file: string, key: Buffer): Promise<void> => {
  const account = await store.accounts.account();
  try {
    if (account) createCipher(key).open(account.oapi_secret);
  } catch (cause) {
    throw new AppError("VALIDATION_FAILED", `The key that was given does not open the secrets of ${file}`, { cause });
  }
};

const readAll = async (store: Store, file: string, key: Buffer | undefined): ReturnType<Store["jobs"]["states"]> => {
  if (key) await tryGivenKey(store, file, key);
  return store.jobs.states({ filters: [] });
};
