import { AppError } from "../../shared/basics/errors.ts";
import type { CoordinatorConfig } from "../config.ts";
import { readSealingKey } from "./cipher.ts";
import { prepareFolder } from "./data-folder.ts";
import { movingMark } from "./move/tables.ts";
import { openSqlite } from "./sqlite/open.ts";
import type { Store } from "./store.ts";

type Wanted = Pick<CoordinatorConfig, "dataDir" | "store" | "storePassword" | "secretKey">;

/** Opens the configured store: a PostgreSQL database, or SQLite in the data folder. */
export const openStore = async (wanted: Wanted): Promise<Store> => {
  const store = await openEngine(wanted);
  const { kind, key } = movingMark;
  if ((await store.records.get(kind, key)) === undefined) return store;
  await store.close();
  throw new AppError("CONFLICT", "A farm is being moved into this store: finish that with mediafarm move-store first");
};

const openEngine = async ({ dataDir, store, storePassword, secretKey }: Wanted): Promise<Store> => {
  if (store === undefined) return openSqlite(dataDir, secretKey);
  prepareFolder(dataDir);
  // Loaded only where it is used.
  const { openPostgres } = await import("./postgres/open.ts");
  return openPostgres(store, readSealingKey(dataDir, secretKey), storePassword);
};
