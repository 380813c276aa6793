import type Database from "better-sqlite3";
import type { Reader } from "./reader.ts";

/** The database's connections: one for writes, one for point reads on this thread, one for long reads on another. */
export type Connections = {
  readonly writer: Database.Database;
  readonly point: Database.Database;
  readonly reader: Reader;
};
