import { type Client, FileInfo, FileType } from "basic-ftp";
import { expect, test } from "vitest";
import { createServer } from "../../agent/storage/ftp/server.ts";
import type { Pool } from "../../agent/storage/pool.ts";

const aFile = (name: string, more: Partial<FileInfo> = {}): FileInfo =>
  Object.assign(new FileInfo(name), { type: FileType.File, size: 5 }, more);

test("a listing's times count where the server tells them exactly; others are asked for file by file", async () => {
  const modifiedAt = new Date("2026-11-22T18:04:59.250Z");
  const found = [
    aFile("."),
    aFile("mlsd.mov", { modifiedAt }),
    aFile("list.mov", { rawModifiedAt: "Nov 22 18:04" }),
    aFile("link.mov", { modifiedAt, type: FileType.SymbolicLink }),
    aFile("below", { modifiedAt, type: FileType.Directory }),
  ];
  const client = { list: async () => found } as unknown as Client; // nothing else of it is asked
  const pool = { use: (_uri: string, act: (client: Client) => unknown) => act(client) } as unknown as Pool<Client>;
  const entries: object[] = [];
  for await (const entry of createServer(pool).list("ftp://h/in")) entries.push(entry);
  expect(entries).toEqual([
    { name: "mlsd.mov", isFile: true, seen: { isFile: true, size: 5, modified: modifiedAt.getTime() } },
    { name: "list.mov", isFile: true },
    { name: "link.mov", isFile: true },
    { name: "below", isFile: false },
  ]);
});
