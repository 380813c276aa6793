import { mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inFolder, makeFolder, removeTree } from "../../../agent/roots/open-folder.ts";
import { prepareRoots, type Roots } from "../../../agent/roots/roots.ts";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";

let folder: Awaited<ReturnType<typeof aFolder>>;
let roots: Roots;
const at = (...names: string[]): string => join(folder.path, ...names);

beforeEach(async () => {
  folder = await aFolder();
  for (const name of ["root/out/inner", "outside/inner"]) await mkdir(at(name), { recursive: true });
  for (const name of ["root/out/inner/a", "outside/inner/precious"]) await writeFile(at(name), "");
  roots = prepareRoots([at("root")], [])(() => []);
});
afterEach(() => folder.remove());

const exchangeForLink = async (name: string, leads: string): Promise<void> => {
  await rename(at(name), at(`${name}-aside`));
  await symlink(at(leads), at(name));
};

describe.skipIf(process.platform !== "linux")("on Linux, where folders can be kept", () => {
  test("what is made in a folder comes to lie in the one that was checked", async () => {
    await inFolder(roots, at("root/out"), async (path) => {
      await exchangeForLink("root/out", "outside");
      await writeFile(join(path, "made"), "");
    });
    expect(await readdir(at("root/out-aside"))).toContain("made");
    expect(await readdir(at("outside"))).toEqual(["inner"]);
  });

  test("errors name the folder as people know it", async () => {
    const failing = inFolder(roots, at("root/out"), (path) => mkdir(join(path, "inner")));
    await expect(failing).rejects.toThrow(`'${at("root/out/inner")}'`);
  });
});

test("a folder that leads out is refused, whether it exists or would be made", async () => {
  await symlink(at("outside"), at("root/link"));
  await expect(inFolder(roots, at("root/link"), async () => 1)).rejects.toThrow("leads to a place that is outside");
  await expect(makeFolder(roots, at("root/link/new/one"))).rejects.toThrow("leads to a place that is outside");
  expect(await readdir(at("outside"))).toEqual(["inner"]);
});

test("a folder is made with its parents, and one that exists is left alone", async () => {
  await makeFolder(roots, at("root/out/new/deeper"));
  await makeFolder(roots, at("root/out"));
  expect((await readdir(at("root/out"), { recursive: true })).sort()).toEqual([
    "inner",
    "inner/a",
    "new",
    "new/deeper",
  ]);
});

test("where a file has the folder's name, nothing is made", async () => {
  await expect(makeFolder(roots, at("root/out/inner/a"))).rejects.toMatchObject({ failure: { cause: "storage" } });
});

test("a folder that does not exist is undefined, and none outside is told of", async () => {
  expect(await inFolder(roots, at("root/none"), async () => 1)).toBeUndefined();
  await expect(inFolder(roots, at("none"), async () => 1)).rejects.toThrow("is outside");
});

test("a folder is removed with its contents; links in it are removed, and what they lead to stays", async () => {
  await symlink(at("outside"), at("root/out/link"));
  await removeTree(at("root/out"));
  expect(await readdir(at("root"))).toEqual([]);
  expect(await readdir(at("outside/inner"))).toEqual(["precious"]);
});
