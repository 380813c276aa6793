import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { admitNode } from "../../../coordinator/connections/admit.ts";
import { mountHandlers } from "../../../coordinator/routes/mounts.ts";
import { openTestDoors } from "../../helpers/farm/doors.ts";
import { aHello, aRecordingConnection } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { aWorldPerFile } from "../../helpers/farm/worlds.ts";

const { world, restart } = useFarm();
const set = (...items: Parameters<ReturnType<typeof mountHandlers>["setMounts"]>[0]["items"]) =>
  mountHandlers(world().farm).setMounts({ items });
const list = () => mountHandlers(world().farm).listMounts();

const bucket = { prefix: "s3://bucket", folders: { posix: "/mnt/bucket" } };
const share = { prefix: "s3://share", folders: { posix: "/mnt/share", win32: "Z:\\share" } };

test("mounts are replaced as a whole, kept over a restart, and listed by prefix", async () => {
  await set(share, { ...bucket, prefix: "s3://bucket//" });
  expect(await list()).toEqual({ items: [bucket, share] });
  await set(bucket);
  await restart();
  expect(await list()).toEqual({ items: [bucket] });
});

const change = (input: Partial<Parameters<ReturnType<typeof mountHandlers>["changeMounts"]>[0]>) =>
  mountHandlers(world().farm).changeMounts({ set: [], remove: [], ...input });

test("two people who change other mounts at the same time both get what they asked for", async () => {
  await set(bucket);
  const windows = { prefix: "s3://bucket/", folders: { win32: "Z:\\bucket" } };
  await Promise.all([
    change({ set: [share] }),
    change({ set: [windows] }),
    change({ set: [{ ...share, prefix: "s3://x" }] }),
  ]);
  const both = { prefix: "s3://bucket", folders: { ...bucket.folders, ...windows.folders } };
  expect(await list()).toEqual({ items: [both, share, { ...share, prefix: "s3://x" }] });
  expect(await change({ remove: ["s3://x/", "s3://bucket"] })).toEqual({ items: [share] });
});

test("a mount that is not there cannot be taken away, and then nothing is changed", async () => {
  await set(bucket);
  await expect(change({ set: [share], remove: ["s3://none"] })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "There is no mount of s3://none for the whole farm",
  });
  expect(await list()).toEqual({ items: [bucket] });
});

test("two mounts of one prefix are refused, and the old ones stay", async () => {
  await set(share);
  await expect(set(bucket, { ...bucket, prefix: "s3://bucket/" })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    details: [{ path: "items[1].prefix", message: expect.stringContaining("s3://bucket is mounted twice") }],
  });
  expect(await list()).toEqual({ items: [share] });
});

test("the coordinator's own data folder is not mounted: not by its name, not below it, and not through a link", async () => {
  const { dataDir } = world().farm.config;
  const outside = await mkdtemp(join(tmpdir(), "mounts-"));
  await symlink(dataDir, join(outside, "innocent"));
  const folders = [
    dataDir,
    `${dataDir}/`,
    join(dataDir, "deep"),
    join(outside, "innocent"),
    join(outside, "innocent/x"),
  ];
  for (const posix of folders) {
    const refused = { code: "VALIDATION_FAILED", message: expect.stringContaining("own data folder") };
    await expect(set({ prefix: "s3://bucket", folders: { posix } })).rejects.toMatchObject(refused);
    await expect(change({ set: [{ prefix: "s3://bucket", folders: { posix } }] })).rejects.toMatchObject(refused);
  }
  for (const posix of [`${dataDir}-beside`, outside])
    expect(await set({ prefix: "s3://bucket", folders: { posix } })).toMatchObject({ items: [{ folders: { posix } }] });
  await rm(outside, { recursive: true });
});

test("who is connected hears of a change at once, who comes later in its welcome", async () => {
  const node = await world().node();
  await node.take();
  await set(bucket);
  expect(await node.take()).toEqual([{ type: "mounts", epoch: world().farm.epoch, mounts: [bucket] }]);
  const { heard, connection } = aRecordingConnection();
  await admitNode(world().farm, { useJoinToken: () => ({ by: "farm", isPending: false }) }, aHello(), connection);
  expect(heard).toMatchObject([{ type: "welcome", mounts: [bucket] }]);
});

describe("who changes mounts", () => {
  const doors = aWorldPerFile({ open: openTestDoors, close: ({ close }) => close() });
  const headersOf = async (made?: { auth_key: string; auth_secret: string }) => {
    const program = await doors().enterAsProgram();
    if (!made) return program;
    const { body } = await doors().inject({ method: "POST", url: "/v1/login", headers: program, payload: made });
    return { ...program, "x-service-sapiauth": String(body.token) };
  };
  const changeAs = async (headers: Record<string, string>) => {
    const put = { method: "PUT", url: "/v1/mounts", headers, payload: { items: [bucket] } } as const;
    const post = { method: "POST", url: "/v1/mounts", headers, payload: { set: [share] } } as const;
    const answers = [await doors().inject(put), await doors().inject(post)];
    return answers.map(({ status, body }) => `${status} ${body.error ?? ""}`.trim());
  };
  const made = async (owner: string, may_mount?: boolean) =>
    (await doors().ask("POST", "/api-users", owner, { name: "x", ...(may_mount !== undefined && { may_mount }) })).body;

  test("is an API user who was given that right, as the first one was, and no other", async () => {
    const owner = await doors().enter("owner");
    expect(await changeAs(await headersOf())).toEqual(["200", "200"]);
    expect(await changeAs(await headersOf(await made(owner, true)))).toEqual(["200", "200"]);
    const plain = await headersOf(await made(owner));
    expect(await changeAs(plain)).toEqual(["403 NOT_ALLOWED", "403 NOT_ALLOWED"]);
    expect((await doors().inject({ method: "GET", url: "/v1/mounts", headers: plain })).status).toBe(200);
  });
});
