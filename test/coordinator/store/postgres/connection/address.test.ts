import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readAddress, shownAddress } from "../../../../../coordinator/store/postgres/connection/address.ts";
import { Secret } from "../../../../../shared/basics/secret.ts";

test("an address names the server; its certificate is checked unless the server is on this machine", () => {
  expect(readAddress("postgres://farm@db.studio.lan/jobs", new Secret("pw"))).toEqual({
    ...{ host: "db.studio.lan", port: 5432, user: "farm", database: "jobs", password: "pw" },
    ...{ ssl: { rejectUnauthorized: true, servername: "db.studio.lan" }, application_name: "mediafarm" },
  });
  const local = ["127.0.0.1:5433", "localhost", "[::1]"].map(
    (host) => readAddress(`postgresql://farm@${host}/jobs`).ssl,
  );
  expect(local).toEqual([false, false, false]);
  const socket = readAddress("postgres://farm@localhost/jobs?host=/var/run/postgresql");
  expect([socket.host, socket.ssl, shownAddress(socket)]).toEqual([
    ...["/var/run/postgresql", false, "/var/run/postgresql:5432/jobs"],
  ]);
  expect(readAddress("postgres://farm@localhost/jobs?sslmode=verify-full").ssl).toMatchObject({
    rejectUnauthorized: true,
  });
});

test("the password comes from a file, without the end of its line", () => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-address-"));
  const file = join(folder, "password");
  writeFileSync(file, "of the file\n");
  const { password } = readAddress(
    `postgres://farm@db/jobs?passwordfile=${encodeURIComponent(file)}`,
    new Secret("of elsewhere"),
  );
  expect(password).toBe("of the file");
  rmSync(folder, { recursive: true });
});

test.each([
  ["mysql://farm@db/jobs", "does not begin with postgres://"],
  ["postgres://db/jobs", "names no user"],
  ["postgres://farm@db", "names no database"],
  ["postgres://farm:secret@db/jobs", "contains a password"],
  ["postgres://farm@db/jobs?sslmode=disable", "on this machine only"],
  ["postgres://farm@db/jobs?sslmode=require", "verify-full or disable, not require"],
  ["postgres://farm@db/jobs?options=-c", "unknown option options"],
  ["postgres://farm@db/jobs?passwordfile=/nowhere", "the file with the password cannot be read"],
])("%s is refused: it %s", (text, why) => {
  expect(() => readAddress(text)).toThrow(why);
  expect(() => readAddress(text)).not.toThrow("secret@");
});
