import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { prepareRoots } from "../../../agent/roots/roots.ts";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";

const rootsOf = (folders: string[], mounts: Parameters<ReturnType<typeof prepareRoots>>[0], own: string[] = []) =>
  prepareRoots(folders, own)(mounts);

let folder: Awaited<ReturnType<typeof aFolder>>;
const at = (...names: string[]): string => join(folder.path, ...names);

beforeEach(async () => {
  folder = await aFolder();
  await mkdir(at("root", "deep"), { recursive: true });
  await mkdir(at("rootless"));
  await writeFile(at("root", "deep", "a.mov"), "x");
  await writeFile(at("rootless", "b.mov"), "x");
});
afterEach(() => folder.remove());

test("a file in a root is given back by its real path", async () => {
  await symlink(at("root", "deep"), at("root", "link"));
  const roots = rootsOf([at("root")], () => []);
  expect(await roots.existing(at("root", "link", "a.mov"))).toBe(at("root", "deep", "a.mov"));
});

test("a folder whose name only begins like a root's is outside", async () => {
  await expect(rootsOf([at("root")], () => []).existing(at("rootless", "b.mov"))).rejects.toThrow(
    `${at("rootless", "b.mov")} is outside of the folders this node may use (${at("root")}); start the agent with --root`,
  );
});

test("a link that leads out is refused, and nobody learns where it leads", async () => {
  await symlink(at("rootless"), at("root", "out"));
  const roots = rootsOf([at("root")], () => []);
  await expect(roots.existing(at("root", "out", "b.mov"))).rejects.toThrow(
    `${at("root", "out", "b.mov")} leads to a place that is outside`,
  );
  await expect(roots.mayCreate(at("root", "out", "new", "folder"))).rejects.toThrow("is outside");
});

test("a root that is itself a link works, and a mount's folder counts as a root", async () => {
  await symlink(at("root"), at("alias"));
  await expect(rootsOf([at("alias")], () => []).existing(at("root", "deep", "a.mov"))).resolves.toBeTruthy();
  const mounts = [{ prefix: "s3://bucket", folder: at("rootless") }];
  await expect(rootsOf([], () => mounts).existing(at("rootless", "b.mov"))).resolves.toBeTruthy();
});

test("a folder yet to be made is judged by its nearest ancestor", async () => {
  const roots = rootsOf([at("root")], () => []);
  await expect(roots.mayCreate(at("root", "new", "er"))).resolves.toBeUndefined();
  await expect(roots.mayCreate(at("new", "er"))).rejects.toThrow("is outside");
});

test("a root or mount that is not there now is named as the trouble, unless another one covers the path", async () => {
  const gone = at("root", "share");
  const mounts = () => [{ prefix: "s3://bucket", folder: gone }];
  await expect(rootsOf([], mounts).existing(join(gone, "a.mov"))).rejects.toMatchObject({
    failure: {
      cause: "storage",
      message: expect.stringContaining(`is in ${gone}, which jobs may use, but that folder is not available`),
    },
  });
  await expect(rootsOf([at("root")], mounts).mayCreate(join(gone, "new"))).resolves.toBeUndefined();
});

test("a missing source is no such file", async () => {
  await expect(rootsOf([at("root")], () => []).existing(at("root", "none.mov"))).rejects.toMatchObject({
    failure: { cause: "source", message: `no such file: ${at("root", "none.mov")}` },
  });
});

test("folders of Mediafarm itself are refused, also where a root holds them or a link leads there", async () => {
  await mkdir(at("root", "data"), { recursive: true });
  await writeFile(at("root", "data", "secret.key"), "key");
  await symlink(at("root", "data"), at("root", "innocent"));
  const roots = rootsOf([at("root")], () => [{ prefix: "s3://b", folder: at("root", "data") }], [at("root", "data")]);
  for (const path of [at("root", "data", "secret.key"), at("root", "innocent", "secret.key"), at("root", "data")]) {
    await expect(roots.existing(path)).rejects.toThrow("is in one of Mediafarm's own folders");
  }
  await expect(roots.mayCreate(at("root", "innocent", "new"))).rejects.toThrow("is in one of Mediafarm's own folders");
});

test("a whole disk that a mount or root is led to by a link lends nothing", async () => {
  await symlink("/", at("disk"));
  await expect(rootsOf([at("disk")], () => []).existing("/etc/hostname")).rejects.toThrow("is outside");
});

test("a folder that is lent is never removed with all that is in it", async () => {
  const roots = rootsOf([at("root")], () => []);
  await expect(roots.removable(at("root"))).rejects.toThrow("is a root folder of this node");
});

test("a coordinator's data folder is lent by no root, mount or link, wherever it lies", async () => {
  await mkdir(at("root", "data", "deep"), { recursive: true });
  for (const name of ["farm.db", "secret.key"]) await writeFile(at("root", "data", name), "x");
  await symlink(at("root", "data"), at("root", "innocent"));
  const mounts = () => [{ prefix: "file:///data", folder: at("root", "data") }];
  for (const roots of [rootsOf(["/"], () => []), rootsOf([at("root")], () => []), rootsOf([], mounts)]) {
    for (const path of [at("root", "data", "secret.key"), at("root", "innocent", "farm.db"), at("root", "data")])
      await expect(roots.existing(path)).rejects.toThrow("is in one of Mediafarm's own folders");
    await expect(roots.openFolder(at("root", "innocent"))).rejects.toThrow("own folders");
    await expect(roots.mayCreate(at("root", "data", "deep", "new"))).rejects.toThrow("own folders");
  }
});
