import { expect, test } from "vitest";
import { readFolderLocation } from "../../../agent/paths/folder-location.ts";
import { listFiles } from "../../../agent/paths/list-files.ts";
import type { Storage } from "../../../agent/storage/storage.ts";
import { isSameState, markOf, type TaggedFile } from "../../../shared/files/file-state.ts";
import { nameOf, toUri } from "../../../shared/files/location.ts";
import { storageKinds } from "../../../shared/files/storage.ts";
import { bytesAt, openFolder } from "../../helpers/agent/open-storage.ts";
import type { ServerKind } from "../../servers/index.ts";
import type { TestServer } from "../../servers/server.ts";

const names = [
  "two words.mov",
  "100%.mov",
  "100%25.mov",
  "take#1.mov",
  "who?.mov",
  "a+b&c=d;e.mov",
  "caf\u00e9.mov",
  "cafe\u0301.mov",
  "🎬 シーン.mov",
  "-rf.mov",
  "back\\slash.mov",
  "quote\"'.mov",
  " lead.mov",
  "trail.mov ",
  "two\nlines.mov",
  `${"long".repeat(50)}.mov`,
];

/** What no client of this kind can name, or no server of it keeps. */
const unnamed: Partial<Record<ServerKind, RegExp>> = { ftp: /\n/, sftp: /\n/ };

/** Facts about a folder of a real server that is watched or enumerated. */
export const watchesFolder = (kind: ServerKind, server: () => TestServer): void => {
  let opened: { readonly server: TestServer; readonly storage: Storage } | undefined;
  /** One for all: logging in takes its time. */
  const storage = (): Storage => {
    if (opened?.server !== server()) opened = { server: server(), storage: openFolder(server().folder, server()) };
    return opened.storage;
  };
  const list = async (name: string, isRecursive = false): Promise<TaggedFile[]> => {
    const files: TaggedFile[] = [];
    const what = { folder: `${server().folder}/${name}`, selection: { pattern: { wildcard: "*" }, isRecursive } };
    const needs = { storageOf: storage } as unknown as Parameters<typeof listFiles>[1]; // no file of this node
    for await (const file of listFiles(what, needs, new AbortController().signal)) files.push(file);
    return files.sort((one, other) => (one.uri < other.uri ? -1 : 1));
  };
  const place = (name: string, isEmpty = true) =>
    readFolderLocation(`${server().folder}/${name}`, isEmpty, { storageOf: storage, locate: (uri) => uri });

  test("names of every kind are listed, called the same, and read by the job that they begin", async () => {
    const meant = names.filter((name) => !unnamed[kind]?.test(name));
    for (const name of meant) await server().put(`odd/${name}`, Buffer.from(name));
    const files = await list("odd");
    expect(files.map(({ uri }) => nameOf(uri)).sort()).toEqual(meant.toSorted());
    for (const { uri } of files) {
      expect(toUri(uri, "url")).toBe(uri);
      expect((await bytesAt(storage(), uri)).toString()).toBe(nameOf(uri));
    }
  });

  test("a folder that is missing, empty or filled is told apart, where the storage has folders", async () => {
    await server().put("sub/below/a.mov", Buffer.from("a"));
    const { hasFolders } = storageKinds[kind];
    expect([await place("sub", false), await place("absent")]).toEqual([
      { isThere: true },
      hasFolders ? { isThere: false } : undefined,
    ]);
    expect([await list("absent"), await list("sub")]).toEqual([[], []]);
    expect(await place("sub")).toEqual(hasFolders ? { isThere: true } : undefined);
    expect(await place("")).toEqual(hasFolders ? { isThere: true } : undefined);
    expect((await list("sub", true)).map(({ uri }) => uri)).toEqual([`${server().folder}/sub/below/a.mov`]);
  });

  test("two checks of an untouched folder see the same; object storage tells of a file in another one's place", async () => {
    const put = async (text: string) => {
      await server().put("same/a.mov", Buffer.from(text));
      const [file] = await list("same");
      if (!file) throw new Error("it was just put there");
      return file;
    };
    const before = await put("one");
    expect(await list("same")).toEqual([before]);
    const after = await put("two");
    const isTold = !storageKinds[kind].hasFolders;
    const isLater = !isTold && after.modified !== before.modified;
    const isSame = isSameState(markOf(before, 1), { ...after, ...(isTold && { modified: before.modified }) }, 1);
    expect(isSame).toBe(!isTold && !isLater);
  });
};
