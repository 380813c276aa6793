import { mkdir, open, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRun } from "../../../agent/process/run.ts";
import { createOpenFilesFactory, type OpenFilesFactory } from "../../../agent/roots/open-files.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";

let folder: Awaited<ReturnType<typeof aFolder>>;
let holder: OpenFilesFactory;
const at = (...names: string[]): string => join(folder.path, ...names);

beforeEach(async () => {
  folder = await aFolder();
  await mkdir(at("root"));
  await writeFile(at("root/clip.mov"), "inside");
  await writeFile(at("secret"), "outside");
  const run = createRun({ clock: systemClock, env: { PATH: process.env.PATH ?? "" } });
  holder = await createOpenFilesFactory({ folder: at("held"), pid: process.pid, run });
});
afterEach(() => folder.remove());

const kept = async (name: string) => {
  const holds = holder.begin();
  const path = holds.keep(await open(at(name)), at(name));
  if (path === undefined) throw new Error("nothing was kept");
  return { holds, path };
};

describe.skipIf(process.platform !== "linux")(
  "what an attempt keeps open (only Linux has paths of descriptors)",
  () => {
    test("stays the same file for programs when a link takes its name", async () => {
      const { holds, path } = await kept("root/clip.mov");
      await rename(at("root/clip.mov"), at("root/away"));
      await symlink(at("secret"), at("root/clip.mov"));
      expect(await readFile(path, "utf8")).toBe("inside");
      expect(path).toMatch(/\.mov$/);
      await holds.release();
      await expect(readFile(path)).rejects.toThrow("ENOENT");
    });

    test("stays the same folder, and files made in it come to lie there", async () => {
      const { holds, path } = await kept("root");
      await rename(at("root"), at("away"));
      await mkdir(at("outside"));
      await symlink(at("outside"), at("root"));
      await writeFile(join(path, "made"), "");
      expect(await readFile(at("away/made"), "utf8")).toBe("");
      await holds.release();
    });

    test("is called by its own name in what people read", async () => {
      const { holds, path } = await kept("root/clip.mov");
      expect(holds.named(`${path}: Invalid data found in ${path}, ${at("held/77.mov")} or 1.mov`)).toBe(
        `${at("root/clip.mov")}: Invalid data found in ${at("root/clip.mov")}, ${at("held/77.mov")} or 1.mov`,
      );
      await holds.release();
    });
  },
);
