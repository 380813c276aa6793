import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "../../../coordinator/store/postgres/open.ts";
import { type PostgresServer, postgresLacks, startPostgresServer } from "../../servers/postgres.ts";
import { makeCertificate } from "../../servers/process.ts";

const lacks = postgresLacks();
if (lacks) console.warn(`SKIPPED: TLS to a real PostgreSQL server: ${lacks}`);

const key = Buffer.alloc(32, 7);

describe.skipIf(lacks)("a store on a PostgreSQL server that is spoken to over TLS", () => {
  let server: PostgresServer;
  let folder: string;
  let certificate: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "mediafarm-postgres-tls-"));
    const made = makeCertificate(folder); // for 127.0.0.1
    certificate = made.certificate;
    server = await startPostgresServer(
      ["ssl=on", `ssl_cert_file=${certificate}`, `ssl_key_file=${made.key}`],
      (who) => {
        for (const file of who ? [folder, certificate, made.key] : []) chownSync(file, who?.uid ?? 0, who?.gid ?? 0);
      },
    );
  }, 120_000);
  afterAll(async () => {
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The address of a new database, with these options. */
  const address = async (options: string, host = "127.0.0.1") =>
    `${(await server.database()).replace("127.0.0.1", host)}?sslmode=verify-full${options}`;

  test("works where the server's certificate is of the named authority and for the name in the address", async () => {
    const warned: string[] = [];
    const warn = ({ message }: Error) => void warned.push(message);
    process.on("warning", warn);
    const store = await openPostgres(await address(`&sslrootcert=${certificate}`), key);
    await store.records.change("view", "a", () => "1");
    expect(await store.records.get("view", "a")).toBe("1");
    const plain = (await server.database()).replace(/[^/]*$/, "postgres");
    expect(
      await server.ask(
        plain,
        "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'mediafarm'",
      ),
    ).toEqual([{ ssl: true }]);
    await store.close();
    process.off("warning", warn);
    expect(warned).toEqual([]);
  });

  test.each([
    ["of an authority that nobody named", "", "127.0.0.1", /self-signed certificate|certificate/],
    ["for another name", "named", "localhost", /certificate is for other names|altnames|certificate/i],
  ])("is refused where the server's certificate is %s", async (_, named, host, why) => {
    const options = named ? `&sslrootcert=${certificate}` : "";
    await expect(openPostgres(await address(options, host), key)).rejects.toThrow(why);
  });

  test("is refused where the server has no TLS, with nothing sent in the clear", async () => {
    const plain = await startPostgresServer();
    try {
      const text = `${await plain.database()}?sslmode=verify-full&sslrootcert=${certificate}`;
      await expect(openPostgres(text, key)).rejects.toThrow(/does not support SSL|TLS/);
    } finally {
      await plain.remove();
    }
  });

  test("is not weakened by an option", async () => {
    for (const mode of ["require", "prefer", "allow", "no-verify"])
      await expect(openPostgres(`postgres://farm@db.studio.lan/farm?sslmode=${mode}`, key)).rejects.toThrow(
        `sslmode is verify-full or disable, not ${mode}`,
      );
    await expect(openPostgres("postgres://farm@db.studio.lan/farm?sslmode=disable", key)).rejects.toThrow(
      "on this machine only",
    );
  });
});
