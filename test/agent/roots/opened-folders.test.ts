import { mkdir, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type OpenFolder, openFolder } from "../../../agent/roots/open-folder.ts";
import { createOpenedFolders, type OpenedFolders } from "../../../agent/roots/opened-folders.ts";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";

let scratch: Awaited<ReturnType<typeof aFolder>>;
let kept: OpenedFolders;
let opened: string[];
const at = (...names: string[]): string => join(scratch.path, ...names);

beforeEach(async () => {
  scratch = await aFolder();
  kept = createOpenedFolders();
  opened = [];
  for (let n = 0; n < 10; n++) await mkdir(at(`out${n}`));
});
afterEach(async () => {
  await kept.release();
  await scratch.remove();
});

const use = async (name: string): Promise<OpenFolder | undefined> => {
  await using folder = await kept.folder(at(name), () => {
    opened.push(name);
    return openFolder(at(name));
  });
  return folder;
};

describe.skipIf(process.platform !== "linux")("on Linux, where folders can be kept", () => {
  test("a folder is opened once, and leads to the same place after its users are done with it", async () => {
    const first = await use("out0");
    expect(await use("out0")).toMatchObject({ real: at("out0"), path: first?.path });
    expect(opened).toEqual(["out0"]);
  });

  test("a folder that was exchanged for a link is opened again", async () => {
    await use("out0");
    await rename(at("out0"), at("aside"));
    await symlink(at("out1"), at("out0"));
    expect(await use("out0")).toMatchObject({ real: at("out1") });
    expect(opened).toEqual(["out0", "out0"]);
  });

  test("of many folders only the first ones are kept, and after the release none", async () => {
    for (const name of ["out0", "out1", "out2", "out3", "out4", "out5", "out6", "out7", "out8", "out8"])
      await use(name);
    expect(opened.filter((name) => name === "out8")).toHaveLength(2);
    await kept.release();
    await use("out0");
    expect(opened.filter((name) => name === "out0")).toHaveLength(2);
  });
});
