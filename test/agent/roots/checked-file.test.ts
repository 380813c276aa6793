import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openLocal } from "../../../agent/paths/read-local.ts";
import { fileIdFrom, openChecked } from "../../../agent/roots/checked-file.ts";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";

let folder: Awaited<ReturnType<typeof aFolder>>;
let path: string;

beforeEach(async () => {
  folder = await aFolder();
  await mkdir(join(folder.path, "root"));
  await mkdir(join(folder.path, "outside"));
  path = join(folder.path, "root/clip.mov");
  await writeFile(path, "inside");
  await writeFile(join(folder.path, "outside/clip.mov"), "secret");
});
afterEach(() => folder.remove());

/** What an attacker does between the check and the opening. */
const exchange = {
  file: async () => {
    await rename(path, `${path}.away`);
    await symlink(join(folder.path, "outside/clip.mov"), path);
  },
  folder: async () => {
    await rename(join(folder.path, "root"), join(folder.path, "away"));
    await symlink(join(folder.path, "outside"), join(folder.path, "root"));
  },
};

const read = async (id: string): Promise<string> => {
  const file = await openChecked(path, id);
  const { size, mtimeMs } = await file.stat();
  await file.close();
  const seen = { path, size, modified: Math.floor(mtimeMs), id };
  await using reader = await openLocal(seen, { from: 0 });
  const memory = Buffer.alloc(1000);
  const bytes = await reader.into(memory);
  expect(await reader.into(memory)).toBe(0);
  return memory.toString("utf8", 0, bytes);
};

describe.each(["file", "folder"] as const)("a %s that is exchanged for a link to the outside", (what) => {
  test.skipIf(process.platform === "win32")(
    "before it is looked at is refused (links need rights on Windows)",
    async () => {
      await exchange[what]();
      await expect(openChecked(path)).rejects.toMatchObject({ failure: { cause: "source" } });
    },
  );

  test.skipIf(process.platform === "win32")("after it was looked at is not read in its place", async () => {
    const file = await openChecked(path);
    const id = fileIdFrom(await file.stat());
    await file.close();
    expect(await read(id)).toBe("inside");
    await exchange[what]();
    await expect(read(id)).rejects.toThrow("was exchanged for another file");
  });
});
