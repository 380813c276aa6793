import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PostgresServer } from "./postgres.ts";
import { freePort, startProgram } from "./process.ts";

const program = "/usr/sbin/pgbouncer";

export const pgbouncerLacks = (): string | undefined =>
  existsSync(program) ? undefined : "PgBouncer is not installed (Debian's package pgbouncer)";

export type PgBouncer = {
  /** The address of a database of the server, by way of PgBouncer. */
  readonly through: (address: string) => string;
  readonly remove: () => Promise<void>;
};

/** A PgBouncer in transaction mode before a server: a connection keeps a backend for one transaction only. */
export const startPgBouncer = async (server: PostgresServer): Promise<PgBouncer> => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-pgbouncer-"));
  const port = await freePort();
  const settings = [
    "[databases]",
    `* = host=127.0.0.1 port=${server.port} user=farm`,
    "[pgbouncer]",
    ...[`listen_port = ${port}`, "listen_addr = 127.0.0.1", "unix_socket_dir ="],
    ...["auth_type = any", "pool_mode = transaction", "default_pool_size = 20"],
    // It gives the privileges of root away.
    ...(process.getuid?.() === 0 ? ["user = nobody"] : []),
  ];
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, `${settings.join("\n")}\n`);
  const { stop } = await startProgram(program, [file], port);
  return {
    through: (address) => address.replace(`:${server.port}/`, `:${port}/`),
    remove: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
