import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clear } from "../../../agent/attempt/previous-attempt.ts";
import { passThrough } from "../../../agent/checkpoint.ts";
import { createOnly } from "../../../agent/storage/file/create-only.ts";
import { readIdentity } from "../../../agent/storage/file/identity.ts";
import { numbered } from "../../../agent/storage/free-name.ts";
import { createPublisher } from "../../../agent/storage/publish.ts";
import type { Storage } from "../../../agent/storage/storage.ts";
import { lastName, tempName } from "../../../agent/storage/temp-name.ts";
import { pathToUri } from "../../../shared/files/location.ts";
import { isTempName } from "../../../shared/work/temp-names.ts";
import type { IntentFile } from "../../../shared/work/work.ts";
import { aFolder, aStorageView } from "../../helpers/agent/agent-fixture.ts";
import { refuseOnce } from "../../helpers/agent/refuse-once.ts";

let folder: Awaited<ReturnType<typeof aFolder>>;
const at = (...names: string[]): string => join(folder.path, ...names);
const withoutHardLinks = () => refuseOnce("link", "EPERM");

beforeEach(async () => {
  folder = await aFolder();
  await writeFile(at(".a.mp4.1.1.part"), "ours");
});
afterEach(() => folder.remove());

const move = async () => {
  const temp = at(".a.mp4.1.1.part");
  return { temp, final: at("a.mp4"), identity: (await readIdentity(temp))?.identity ?? "" };
};

test("a name that is taken stays as it is, with and without hard links", async () => {
  await writeFile(at("a.mp4"), "theirs");
  expect(await createOnly(await move(), passThrough)).toBe("taken");
  withoutHardLinks();
  expect(await createOnly(await move(), passThrough)).toBe("taken");
  expect(await readFile(at("a.mp4"), "utf8")).toBe("theirs");
});

test("without hard links a reservation keeps the name, and one left by a crash is known again", async () => {
  withoutHardLinks();
  expect(await createOnly(await move(), passThrough)).toBe("created");
  expect(await readdir(folder.path)).toEqual(["a.mp4"]);
  await writeFile(at(".a.mp4.1.1.part"), "ours");
  const again = await move();
  await writeFile(at("a.mp4"), `reserved for ${again.identity}\n`);
  withoutHardLinks();
  expect(await createOnly(again, passThrough)).toBe("created");
  expect(await readFile(at("a.mp4"), "utf8")).toBe("ours");
});

test("a name that was reserved for a file that is gone is free again for the task's next attempt", async () => {
  const { temp, final, identity } = await move();
  await writeFile(final, `reserved for ${identity}\n`);
  await rm(temp);
  const view = aStorageView(folder.path);
  const uris = { temp: pathToUri(temp, "posix"), final: pathToUri(final, "posix") };
  const file: IntentFile = { output: "main", ...uris, size: 4, identity, existing: "fail" };
  expect(await view.publisher.publish({ files: [file] })).toEqual({ outcome: "gone", file });
  await clear({ files: [file] }, view);
  expect(await readdir(folder.path)).toEqual([]);
});

test("a folder that was replaced by a link out of the roots is noticed right before publishing", async () => {
  await mkdir(at("root", "out"), { recursive: true });
  await mkdir(at("elsewhere"));
  await writeFile(at("elsewhere", ".a.mp4.1.1.part"), "ours");
  await symlink(at("elsewhere"), at("root", "swapped"));
  const { publish } = aStorageView(at("root")).publisher;
  const { size = 0, identity = "" } = (await readIdentity(at("elsewhere", ".a.mp4.1.1.part"))) ?? {};
  const uri = `file://${at("root", "swapped")}`;
  const file: IntentFile = {
    ...{ output: "main", temp: `${uri}/.a.mp4.1.1.part`, final: `${uri}/a.mp4` },
    ...{ size, identity, existing: "replace" },
  };
  await expect(publish({ files: [file] })).rejects.toThrow("is outside");
  expect(await readdir(at("elsewhere"))).toEqual([".a.mp4.1.1.part"]);
});

test("an identity tells files of one size apart by head, middle and tail", async () => {
  const bytes = Buffer.alloc(1_000_000);
  const identities = new Set<string>();
  for (const position of [-1, 0, 500_000, 999_999]) {
    if (position >= 0) bytes[position] = 1;
    await writeFile(at("b"), bytes);
    identities.add((await readIdentity(at("b")))?.identity ?? "");
  }
  expect(identities.size).toBe(4);
  expect(await readIdentity(at("none"))).toBeUndefined();
});

test("temporary names are hidden, fit into a directory entry and are known again", () => {
  const fence = { epoch: 3, counter: 41 };
  expect(tempName({ name: "a %d.png", fence, turn: 1, isFolder: true })).toBe(".a _d.png.3.41.parts");
  const long = tempName({ name: `${"ü".repeat(120)}.mp4`, fence, turn: 2, isFolder: false });
  expect(Buffer.byteLength(long)).toBeLessThan(100);
  expect(isTempName(long)).toBe(true);
  expect(isTempName(".bashrc")).toBe(false);
});

test("a number goes before the extension of a name, if it has one", () => {
  expect(numbered("file:///out/a%20b.mp4", 1)).toBe("file:///out/a%20b_1.mp4");
  expect(numbered("s3://bucket/v1.2/.hidden", 2, "org_")).toBe("s3://bucket/v1.2/.hidden_org_2");
});

test("the names of many files are flushed at once, and before a playlist that names them", async () => {
  const { storageOf } = aStorageView(folder.path);
  const real = storageOf(pathToUri(folder.path, "posix"));
  const acts: string[] = [];
  const storage: Storage = {
    ...real,
    replace: async (file) => {
      acts.push(lastName(file.final));
      await real.replace(file);
    },
    flush: async (uris) => {
      acts.push(`flush ${uris.map(lastName).join(" ")}`);
      await real.flush?.(uris);
    },
  };
  const files = await Promise.all(
    ["1.ts", "2.ts", "list.m3u8", "3.ts"].map(async (name): Promise<IntentFile> => {
      const path = at(`.${name}.1.1.part`);
      await writeFile(path, name);
      const found = await readIdentity(path);
      const uris = { temp: pathToUri(path, "posix"), final: pathToUri(at(name), "posix") };
      return { output: "main", ...uris, size: name.length, identity: found?.identity ?? "", existing: "replace" };
    }),
  );
  expect(await createPublisher(() => storage).publish({ files })).toEqual({ outcome: "done" });
  expect(acts).toEqual(["1.ts", "2.ts", "flush 1.ts 2.ts", "list.m3u8", "3.ts", "flush list.m3u8 3.ts"]);
});
