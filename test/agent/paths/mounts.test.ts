import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLog } from "../../../agent/log.ts";
import { openMountTable } from "../../../agent/paths/mounts.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import type { CoordinatorMessage, Hello } from "../../../shared/protocol/messages.ts";
import { aFarm, aFolder, anAssignment, type Farm, fenceOf } from "../../helpers/agent/agent-fixture.ts";

let folder: Awaited<ReturnType<typeof aFolder>>;
let farm: Farm | undefined;
const said: string[] = [];
const log = createLog({ level: "warn", clock: systemClock, write: (line) => void said.push(line) });

beforeEach(async () => {
  folder = await aFolder();
  said.length = 0;
});
afterEach(async () => {
  await farm?.end();
  farm = undefined;
  await folder.remove();
});

const own = [{ prefix: "s3://mine", folder: "/mnt/mine" }];
const open = (farmId = "farm-1") =>
  openMountTable({ path: join(folder.path, "mounts.json"), farmId, own, flavour: "posix", log });

test("a node's own mount wins over the farm's of the same prefix, and Windows folders are not for it", async () => {
  const table = await open();
  await table.take([
    { prefix: "s3://mine/", folders: { posix: "/mnt/theirs" } },
    { prefix: "s3://all", folders: { posix: folder.path, win32: "Z:\\all" } },
    { prefix: "s3://windows", folders: { win32: "Z:\\w" } },
  ]);
  expect(table.current()).toEqual([...own, { prefix: "s3://all", folder: folder.path }]);
});

test("the farm's mounts hold before they are kept, and are there again at the next start in the same farm only", async () => {
  const table = await open();
  const mount = { prefix: "s3://all", folders: { posix: folder.path } };
  const kept = table.take([mount]);
  expect(table.current()).toHaveLength(2);
  await kept;
  expect((await open()).current()).toEqual(table.current());
  expect((await open("farm-2")).current()).toEqual(own);
  await table.take([]);
  expect((await open()).current()).toEqual(own);
});

test("mounts that change twice in a moment are kept as they were told last", async () => {
  const table = await open();
  const mount = (name: string) => [{ prefix: "s3://all", folders: { posix: join(folder.path, name) } }];
  await Promise.all(["a", "b", "c"].map((name) => table.take(mount(name))));
  expect((await open()).current()).toEqual([...own, { prefix: "s3://all", folder: join(folder.path, "c") }]);
});

test("a folder that is not there is warned about with its name", async () => {
  const table = await open();
  await table.take([
    { prefix: "s3://here", folders: { posix: folder.path } },
    { prefix: "s3://gone", folders: { posix: join(folder.path, "none") } },
  ]);
  expect(said.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", prefix: "s3://gone", folder: join(folder.path, "none") },
  ]);
});

test("a damaged file is no obstacle", async () => {
  await writeFile(join(folder.path, "mounts.json"), "{ half");
  expect((await open()).current()).toEqual(own);
});

test("an agent works through the farm's mount as soon as it is told, also by a message, and keeps it", async () => {
  farm = await aFarm({
    answer: (hello) => {
      const said = farm?.coordinator.welcome(hello);
      return said?.type === "welcome" ? { ...said, mounts: [] } : said;
    },
  });
  const { coordinator, root, dataDir } = farm;
  await mkdir(farm.path("bucket"));
  await writeFile(farm.path("bucket/in.mp4"), await readFile(farm.path("in.mp4")));
  await farm.start({ config: { ...farm.config, roots: [join(root, "out")] } });
  await coordinator.receive("hello");
  const work = { assets: { in: { uri: "s3://bucket/in.mp4" } } };
  coordinator.assign(anAssignment({ root, counter: 1, work }));
  expect((await coordinator.reportOf(fenceOf(1))).outcome).toMatchObject({ failure: { cause: "capability" } });
  const mounts = [{ prefix: "s3://bucket", folders: { posix: farm.path("bucket") } }];
  coordinator.send({ type: "mounts", epoch: 1, mounts });
  coordinator.assign(anAssignment({ root, counter: 2, work }));
  expect((await coordinator.reportOf(fenceOf(2))).outcome).toMatchObject({ outcome: "published" });
  expect(JSON.parse(await readFile(join(dataDir, "farm-mounts.json"), "utf8"))).toEqual({
    farms: { "farm-1": mounts },
  });
});

test("an attempt publishes by the mounts with which it began, whatever becomes of them while it runs", async () => {
  farm = await aFarm({ answer: (hello) => withMounts(hello, "first") });
  const { coordinator, root } = farm;
  for (const name of ["first", "second"]) await mkdir(farm.path(name));
  const agent = await farm.start({ config: { ...farm.config, roots: [] } });
  await coordinator.receive("hello");
  const work = { assets: {} };
  coordinator.assign(anAssignment({ root, argv: ["slow", "made"], work, output: { folder: "s3://bucket" } }));
  await coordinator.receive("started");
  coordinator.send({ type: "mounts", epoch: 1, mounts: toFolder("second") });
  expect((await coordinator.reportOf(fenceOf(1))).outcome.outcome).toBe("published");
  coordinator.assign(anAssignment({ root, counter: 2, work, output: { folder: "s3://bucket" } }));
  expect((await coordinator.reportOf(fenceOf(2))).outcome).toMatchObject({ outcome: "published" });
  coordinator.send({ type: "mounts", epoch: 1, mounts: [] });
  coordinator.assign(anAssignment({ root, counter: 3, work, output: { folder: "s3://bucket" } }));
  expect((await coordinator.reportOf(fenceOf(3))).outcome).toMatchObject({ failure: { cause: "capability" } });
  await agent.stop();
  expect([await farm.list("first"), await farm.list("second")]).toEqual([["result.mp4"], ["result.mp4"]]);
});

test("after the agent's restart too, also where the mount is the node's own and it was started without", async () => {
  farm = await aFarm({ grants: false, answer: (hello) => withMounts(hello, undefined) });
  const { coordinator, root } = farm;
  await mkdir(farm.path("first"));
  const mounts = [{ prefix: "s3://bucket", folder: farm.path("first") }];
  const agent = await farm.start({ config: { ...farm.config, roots: [], mounts } });
  await coordinator.receive("hello");
  coordinator.assign(anAssignment({ root, work: { assets: {} }, output: { folder: "s3://bucket" } }));
  await coordinator.receive("commit");
  await agent.stop();
  await farm.start({ config: { ...farm.config, roots: [] } });
  await coordinator.receive("commit", 1);
  coordinator.send({ type: "granted", epoch: 1, fence: fenceOf(1) });
  expect((await coordinator.reportOf(fenceOf(1))).outcome.outcome).toBe("published");
  expect(await farm.list("first")).toEqual(["result.mp4"]);
});

const toFolder = (name: string) => [{ prefix: "s3://bucket", folders: { posix: farm?.path(name) ?? "" } }];

const withMounts = (hello: Hello, name: string | undefined): CoordinatorMessage | undefined => {
  const said = farm?.coordinator.welcome(hello);
  return said?.type === "welcome" ? { ...said, mounts: name === undefined ? [] : toFolder(name) } : said;
};
