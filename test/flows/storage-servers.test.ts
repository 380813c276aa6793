import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readResuming } from "../../agent/storage/resuming-read.ts";
import { identityFrom } from "../../agent/storage/sampled-identity.ts";
import type { Move, Storage } from "../../agent/storage/storage.ts";
import { TaskError } from "../../shared/causes.ts";
import { systemClock } from "../../shared/system-clock.ts";
import { aFolder } from "../helpers/agent-fixture.ts";
import { nginxLacks, startNginx } from "../helpers/servers/nginx.ts";
import { bytesAt, openFolder } from "../helpers/servers/open.ts";
import type { TestServer } from "../helpers/servers/server.ts";
import { sshdLacks, startSshd } from "../helpers/servers/sshd.ts";
import { type SwiftServer, startSwift, swiftLacks } from "../helpers/servers/swift.ts";
import { startVsftpd, vsftpdLacks } from "../helpers/servers/vsftpd.ts";

const swifts = new Map<string, SwiftServer>();

const ofSwift =
  (which: "s3" | "swift") =>
  async (folder: string): Promise<TestServer> => {
    const started = await startSwift(folder);
    swifts.set(folder, started);
    return { ...started[which], stop: started.stop };
  };

const kinds = [
  { name: "http", lacks: nginxLacks(), start: (folder: string): Promise<TestServer> => startNginx(folder) },
  { name: "ftp", lacks: vsftpdLacks(), start: (folder: string): Promise<TestServer> => startVsftpd(folder) },
  { name: "sftp", lacks: sshdLacks(), start: (folder: string): Promise<TestServer> => startSshd(folder) },
  { name: "s3", lacks: swiftLacks(), start: ofSwift("s3") },
  { name: "swift", lacks: swiftLacks(), start: ofSwift("swift") },
] as const;

for (const { name, lacks } of kinds) if (lacks) console.warn(`SKIPPED: storage ${name} is not tested: ${lacks}`);

const signal = new AbortController().signal;
const someBytes = (size: number): Buffer =>
  Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8)) % 251));

describe.each(kinds.filter(({ lacks }) => !lacks))("a real server of $name", ({ start }) => {
  let folder: Awaited<ReturnType<typeof aFolder>>;
  let server: TestServer;
  let storage: Storage;
  let counter = 0;

  beforeAll(async () => {
    folder = await aFolder();
    await mkdir(join(folder.path, "server"));
    await chmod(folder.path, 0o755); // servers open it as somebody else
    server = await start(join(folder.path, "server"));
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await folder.remove();
  });
  beforeEach(() => {
    storage = openFolder(server.folder, server);
  });

  const at = (name: string): string => `${server.folder}/${name}`;

  /** Sends a file to where it waits; nobody sees it there under its name. */
  const stage = async (name: string, bytes: Buffer): Promise<Move> => {
    const path = join(folder.path, `made-${++counter}`);
    await writeFile(path, bytes);
    const identity = await identityFrom(bytes.length, async (from, length) => bytes.subarray(from, from + length));
    const move = { ...identity, temp: at(`.${name}.1.${counter}.part`), final: at(name) };
    const sent: number[] = [];
    const onBytes = (count: number): void => void sent.push(count);
    const temp = await storage.stage({ path, move, opened: async () => undefined, signal, onBytes });
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

  test("goes on where it ended after the server died half-way", async () => {
    const bytes = someBytes(40_000_000);
    await server.put("large.bin", bytes);
    const seen = await storage.stat(at("large.bin"));
    if (!seen) throw new Error("it was just put there");
    const breaks: string[] = [];
    const [uri, range, clock] = [at("large.bin"), { from: 0 }, systemClock];
    const got: Uint8Array[] = [];
    let size = 0;
    let killed: Promise<void> | undefined;
    for await (const part of readResuming({
      storage,
      uri,
      seen,
      range,
      clock,
      signal,
      onBreak: (words) => breaks.push(words),
    })) {
      got.push(part);
      size += part.length;
      if (killed || size < 2_000_000) continue;
      killed = server.kill().then(() => server.restart());
      await killed;
    }
    expect(Buffer.concat(got).equals(bytes)).toBe(true);
    expect(breaks).toHaveLength(1);
  });

  test("says that a file vanished, or changed, while its transfer was broken off", async () => {
    const bytes = someBytes(30_000_000);
    for (const [words, change] of [
      ["vanished while it was read", () => storage.remove(at("fleeting.bin"))],
      ["changed while it was read", () => server.put("fleeting.bin", someBytes(100))],
    ] as const) {
      await server.put("fleeting.bin", bytes);
      const seen = await storage.stat(at("fleeting.bin"));
      if (!seen) throw new Error("it was just put there");
      const read = async (): Promise<void> => {
        let isFirst = true;
        const [uri, range, clock] = [at("fleeting.bin"), { from: 0 }, systemClock];
        for await (const _ of readResuming({ storage, uri, seen, range, clock, signal })) {
          if (!isFirst) continue;
          isFirst = false;
          await server.kill();
          await server.restart();
          await change();
        }
      };
      await expect(read()).rejects.toThrow(words);
    }
  });

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
