import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { unpaced } from "../../../agent/storage/byte-throttle.ts";
import { readResuming } from "../../../agent/storage/resuming-read.ts";
import { identityFrom } from "../../../agent/storage/sampled-identity.ts";
import type { Move, Storage } from "../../../agent/storage/storage.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import type { ObjectOptions } from "../../../shared/files/object-options.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";
import { bytesAt, openFolder } from "../../helpers/agent/open-storage.ts";
import { share } from "../../helpers/long.ts";
import { type ServerKind, serverKinds, startServers } from "../../servers/index.ts";
import { type Line, startLine } from "../../servers/line.ts";
import type { TestServer } from "../../servers/server.ts";
import { ftpOptions, sftpOptions } from "./server-options.ts";
import { watchesFolder } from "./watched-server.ts";

/** One that renames, one that cannot; all of them in `.ci/run`. */
const kinds = share(serverKinds("storage"), (kind) => kind === "http" || kind === "s3");

const signal = new AbortController().signal;
/** Of a pattern that repeats nowhere near. */
const someBytes = (size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at);
  return bytes;
};
const unexpected = (words: string): never => {
  throw new Error(words);
};

let folder: Awaited<ReturnType<typeof aFolder>>;
let started: Awaited<ReturnType<typeof startServers>>;

beforeAll(async () => {
  folder = await aFolder();
  started = await startServers(folder.path, kinds);
}, 120_000);
afterAll(async () => {
  await started?.stop();
  await folder.remove();
});

const goesOn = [expect.stringMatching(/: the transfer broke off and goes on after [1-9]\d* bytes$/)];
const startsOver = [expect.stringMatching(/: the transfer broke off and starts over$/)];
const onePart = [expect.stringMatching(/: part 1 of 1 broke off and is sent again$/)];
/** What each kind does with an upload that broke off. */
const resumption: Record<ServerKind, { kind: ServerKind; breaks: object; isSentTwice: boolean }> = {
  http: { kind: "http", breaks: startsOver, isSentTwice: true },
  ftp: { kind: "ftp", breaks: goesOn, isSentTwice: false },
  sftp: { kind: "sftp", breaks: goesOn, isSentTwice: false },
  s3: { kind: "s3", breaks: onePart, isSentTwice: true },
  swift: { kind: "swift", breaks: startsOver, isSentTwice: true },
};

describe.each(kinds)("a real server of %s", (kind) => {
  let server: TestServer;
  let storage: Storage;
  let counter = 0;

  beforeEach(() => {
    const own = started.servers[kind];
    if (!own) throw new Error(`There is no server of ${kind}`);
    server = own;
    storage = openFolder(server.folder, server);
  });

  const at = (name: string): string => `${server.folder}/${name}`;

  /** Sends a file to where it waits; nobody sees it there under its name. */
  const stage = async (name: string, bytes: Buffer, object?: ObjectOptions): Promise<Move> => {
    const path = join(folder.path, `made-${kind}-${++counter}`);
    await writeFile(path, bytes);
    const identity = await identityFrom(bytes.length, async (from, length) => bytes.subarray(from, from + length));
    const move = { ...identity, temp: at(`.${name}.1.${counter}.part`), final: at(name) };
    const sent: number[] = [];
    const onBytes = (count: number): void => void sent.push(count);
    const temp = await storage.stage({
      path,
      move,
      opened: async () => undefined,
      signal,
      pace: unpaced,
      onBytes,
      onBreak: unexpected,
      object,
    });
    expect([sent.at(-1) ?? 0, await storage.holds(temp, identity)]).toEqual([bytes.length, true]);
    return { ...move, temp };
  };

  test("gives back the bytes of a file, whole and in parts, and says how large it is", async () => {
    const bytes = someBytes(300_000);
    await server.put("whole.bin", bytes);
    expect(await storage.stat(at("whole.bin"))).toMatchObject({ isFile: true, size: 300_000 });
    expect((await bytesAt(storage, at("whole.bin"))).equals(bytes)).toBe(true);
    expect((await bytesAt(storage, at("whole.bin"), 70_001, 1000)).equals(bytes.subarray(70_001, 71_001))).toBe(true);
    expect((await bytesAt(storage, at("whole.bin"), 299_990)).equals(bytes.subarray(299_990))).toBe(true);
  });

  test("says of a file that is not there that its name is free", async () => {
    expect(await storage.stat(at("nothing.bin"))).toBeUndefined();
    await expect(bytesAt(storage, at("nothing.bin"))).rejects.toThrow(/no such file|no such object|has no such file/);
  });

  test("lists files and folders, and nothing in a folder that is not there", async () => {
    await server.put("listed/one.txt", Buffer.from("1"));
    await server.put("listed/two words.txt", Buffer.from("22"));
    await server.put("listed/deeper/three.txt", Buffer.from("333"));
    const list = async (folder: string) => {
      const found: [string, boolean][] = [];
      for await (const { name, isFile } of storage.list(folder)) found.push([name, isFile]);
      return found.sort();
    };
    expect(await list(at("listed"))).toEqual([
      ["deeper", false],
      ["one.txt", true],
      ["two words.txt", true],
    ]);
    expect(await list(at("absent"))).toEqual([]);
  });

  test("shows a file once it is published, under its name, and nothing beside it", async () => {
    const bytes = someBytes(200_000);
    const move = await stage("published.bin", bytes);
    expect(await server.get("published.bin")).toBeUndefined();
    await storage.replace(move);
    expect((await server.get("published.bin"))?.equals(bytes)).toBe(true);
    expect(await storage.holds(move.final, move)).toBe(true);
    await storage.discard(move.temp);
    expect((await server.get("published.bin"))?.equals(bytes)).toBe(true);
  });

  test("can do what the table of its abilities says, and no more", async () => {
    const isTaken = async () => {
      await server.put("cell.bin", Buffer.from("theirs"));
      const move = await stage("cell.bin", Buffer.from("ours"));
      const isKept = (await storage.create?.(move)) === "taken" && String(await server.get("cell.bin")) === "theirs";
      await storage.discard(move.temp);
      return isKept;
    };
    const isNeverGone = async () => {
      const move = await stage("cell.bin", Buffer.from("ours"));
      let isGone = false;
      let isOver = false;
      const watching = (async () => {
        while (!isOver) isGone ||= (await storage.stat(at("cell.bin"))) === undefined;
      })();
      await storage.replace(move);
      isOver = true;
      await watching;
      return !isGone;
    };
    const keeps = async () => {
      const attributes = [{ name: "ContentType", value: "video/x-cell" }];
      await storage.replace(await stage("kept.bin", Buffer.from("x"), { attributes }));
      return (await server.attributes?.("kept.bin"))?.get("content-type") === "video/x-cell";
    };
    const lists = async () => {
      for await (const { name } of storage.list(server.folder)) if (name === "cell.bin") return true;
      return false;
    };
    const { createOnly, atomicReplace, showsWhole, rename, ranges, listing, writing, attributes } = storage.abilities;
    expect({
      createOnly: await isTaken(),
      // A gap may be too short to be seen: only a promise can be broken.
      atomicReplace: (await isNeverGone()) && atomicReplace,
      showsWhole: await stage("whole-cell.bin", Buffer.from("x")).then(async ({ temp }) => {
        const isHidden = (await server.get("whole-cell.bin")) === undefined;
        await storage.discard(temp);
        return isHidden;
      }),
      rename: (await storage.setAside?.(at("cell.bin"), at("cell-2.bin"))) ?? false,
      ranges: await server
        .put("cell.bin", Buffer.from("0123"))
        .then(async () => "12" === String(await bytesAt(storage, at("cell.bin"), 1, 2))),
      listing: await lists(),
      writing: await stage("w.bin", Buffer.from("x")).then((move) => storage.replace(move).then(() => true)),
      attributes: attributes && (await keeps()),
    }).toEqual({ createOnly, atomicReplace, showsWhole, rename, ranges, listing, writing, attributes });
  });

  test("shows an empty file", async () => {
    await storage.replace(await stage("empty.bin", Buffer.alloc(0)));
    expect(await server.get("empty.bin")).toEqual(Buffer.alloc(0));
  });

  test("puts a file in another one's place", async () => {
    await server.put("old.bin", Buffer.from("old"));
    await storage.replace(await stage("old.bin", Buffer.from("new")));
    expect(String(await server.get("old.bin"))).toBe("new");
  });

  test("does not overwrite where it says that it creates only", async () => {
    if (!storage.create) {
      expect(storage.abilities.createOnly).toBe(false);
      return;
    }
    await server.put("theirs.bin", Buffer.from("theirs"));
    const move = await stage("theirs.bin", Buffer.from("ours"));
    expect(await storage.create(move)).toBe("taken");
    expect(String(await server.get("theirs.bin"))).toBe("theirs");
    await storage.discard(move.temp);
    const free = await stage("free.bin", Buffer.from("ours"));
    expect([await storage.create(free), String(await server.get("free.bin"))]).toEqual(["created", "ours"]);
  });

  test("gives a file another name where it says that it renames", async () => {
    if (!storage.setAside) {
      expect(storage.abilities.rename).toBe(false);
      return;
    }
    await server.put("first.bin", Buffer.from("first"));
    await server.put("second.bin", Buffer.from("second"));
    expect(await storage.setAside(at("first.bin"), at("second.bin"))).toBe(false);
    expect(await storage.setAside(at("first.bin"), at("third.bin"))).toBe(true);
    expect([String(await server.get("third.bin")), await server.get("first.bin")]).toEqual(["first", undefined]);
  });

  test("takes away files and folders, and does not mind where they are gone", async () => {
    await server.put("gone.bin", Buffer.from("x"));
    await server.put("tree/a/b.bin", Buffer.from("x"));
    await server.put("tree/c.bin", Buffer.from("x"));
    for (let turn = 0; turn < 2; turn += 1) {
      await storage.remove(at("gone.bin"));
      await storage.removeFolder(at("tree"));
    }
    expect([await storage.stat(at("gone.bin")), await storage.stat(at("tree/a/b.bin"))]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test("makes folders on the way to a file", async () => {
    await storage.prepare(at("made/on/the way"));
    await storage.replace(await stage("made/on/the way/file.bin", Buffer.from("there")));
    expect(String(await server.get("made/on/the way/file.bin"))).toBe("there");
  });

  test("refuses a wrong password in words, which do not repeat it", async () => {
    await server.put("locked.bin", Buffer.from("x"));
    const stranger = openFolder(server.folder, { credential: server.wrong });
    const problem = await bytesAt(stranger, at("locked.bin")).then(String, (error: unknown) => error);
    expect(problem).toBeInstanceOf(TaskError);
    expect((problem as TaskError).failure).toMatchObject({ cause: "definition" });
    expect((problem as TaskError).message).toMatch(/refuses the (user name|access key)/);
  });

  describe("that dies half-way and starts again", () => {
    const size = 8_000_000; // one part of an upload in parts
    const half = size / 2;
    /** From the start again, it were a half more; less is what was on its way as the server died. */
    const twice = size + 0.9 * half;
    let line: Line;
    beforeEach(async () => {
      line = await startLine(server);
      storage = openFolder(line.folder, line);
    });
    afterEach(() => line.stop());

    const dieAndReturn = async (): Promise<void> => {
      await server.kill();
      await server.restart();
    };

    test("gives the rest of a file, and nothing twice", async () => {
      const bytes = someBytes(size);
      await server.put("half-read.bin", bytes);
      const uri = `${line.folder}/half-read.bin`;
      const seen = await storage.stat(uri);
      if (!seen) throw new Error("it was just put there");
      const breaks: string[] = [];
      const onBreak = (words: string): void => void breaks.push(words);
      const got: Uint8Array[] = [];
      line.breakAfter("down", half, dieAndReturn);
      const before = line.bytes.down;
      const range = { from: 0 };
      for await (const part of readResuming({ storage, uri, seen, range, clock: systemClock, signal, onBreak }))
        got.push(Buffer.from(part));
      expect(Buffer.concat(got).equals(bytes)).toBe(true);
      expect(breaks).toEqual([expect.stringMatching(/: the transfer broke off after [1-9]\d* bytes and is resumed$/)]);
      expect(line.bytes.down - before).toBeLessThan(twice);
    });

    test("takes the rest of a file, or all of it again if it can do no more; nobody sees a part of it", async () => {
      const bytes = someBytes(size);
      const path = join(folder.path, `half-sent-${kind}`);
      await writeFile(path, bytes);
      const name = `half-sent-${kind}.bin`;
      const identity = await identityFrom(size, async (from, length) => bytes.subarray(from, from + length));
      const move = { ...identity, temp: `${line.folder}/.${name}.1.1.part`, final: `${line.folder}/${name}` };
      const breaks: string[] = [];
      const onBreak = (words: string): void => void breaks.push(words);
      const opened = async (): Promise<void> => undefined;
      const shown: (Buffer | undefined)[] = [];
      line.breakAfter("up", half, async () => {
        await dieAndReturn();
        shown.push(await server.get(name));
      });
      const before = line.bytes.up;
      const temp = await storage.stage({
        path,
        move,
        opened,
        signal,
        pace: unpaced,
        onBytes: () => undefined,
        onBreak,
      });
      const sent = line.bytes.up - before;
      expect([...shown, await server.get(name)]).toEqual([undefined, undefined]);
      await storage.replace({ ...move, temp });
      expect((await server.get(name))?.equals(bytes)).toBe(true);
      expect({ kind, breaks, isSentTwice: sent > twice }).toEqual(resumption[kind]);
      expect(storage.abilities.continues).toBe(resumption[kind].breaks !== startsOver);
    });
  });

  watchesFolder(kind, () => server);

  test("says in words that nothing answers", async () => {
    await server.kill();
    try {
      const problem = await openFolder(server.folder, server)
        .stat(at("any.bin"))
        .then(String, (error: unknown) => error);
      expect(problem).toBeInstanceOf(TaskError);
      expect((problem as TaskError).message).toMatch(/nothing answers there|broke off/);
      expect((problem as TaskError).failure.cause).toBe("storage");
    } finally {
      await server.restart();
    }
  });
});

if (kinds.includes("ftp"))
  describe("credentials of ftp", () => {
    ftpOptions(() => started.servers.ftp ?? unexpected("it was started"));
  });

if (kinds.includes("sftp"))
  describe("credentials of sftp", () => {
    sftpOptions(
      () => started.servers.sftp ?? unexpected("it was started"),
      () => folder.path,
    );
  });
