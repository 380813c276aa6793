import type Database from "better-sqlite3";
import { type Cipher, opened } from "../cipher.ts";

/** Gives the connection the function `opened(column)`, which every statement names that reads a column with secrets. */
export const openSecrets = (db: Database.Database, cipher: Pick<Cipher, "open">): void => {
  db.function("opened", { deterministic: true }, (stored: unknown) =>
    typeof stored === "string" ? opened(cipher, stored) : stored,
  );
};
