import { realpathSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ratio } from "../../../../shared/basics/rational.ts";
import type { FileRequest, FileResponse } from "../../../../shared/protocol/node-files.ts";
import { filesCapability, previewsCapability } from "../../../../shared/protocol/node-files.ts";
import type { Preview } from "../../../../shared/protocol/preview.ts";
import { openTestDoors, type TestDoors } from "../../../helpers/farm/doors.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";

const preview: Preview = {
  rate: ratio(25),
  steps: 250,
  picture: { width: 160, height: 90 },
  hasSound: true,
  source: "prores",
};
const path = "/media/a b.mov";
const box = (type: string, bytes: number) =>
  Buffer.concat([Buffer.from([0, 0, 0, 8 + bytes]), Buffer.from(type), Buffer.alloc(bytes)]);
const [init, fragment] = [box("moov", 3), box("moof", 5)];
const planned: FileResponse = { is: "preview", state: "1.2.3", preview };
const segment: FileResponse = { is: "segment", data: Buffer.concat([init, fragment]).toString("base64") };

let folder: string;
let doors: TestDoors;
let operator: string;
beforeEach(async () => {
  folder = realpathSync(aFolder());
  doors = await openTestDoors(folder);
  operator = await doors.enter("operator");
});
afterEach(async () => {
  await doors.close();
  removeFolder(folder);
});

type Node = Awaited<ReturnType<TestDoors["node"]>>;

const aNode = (name: string, capabilities = [filesCapability, previewsCapability]): Promise<Node> =>
  doors.node({ name, tools: { ffmpeg: null, ffprobe: null, capabilities } });

/** Lets a node answer the next question that it is asked, and tells what that was. */
const answer = async (node: Node, told: FileResponse): Promise<FileRequest> => {
  for (;;) {
    const asked = (await node.take()).find((message) => message.type === "request");
    if (asked?.type !== "request") continue;
    doors.farm.nodeRequests.take(node.id, { type: "response", id: asked.id, response: told });
    return asked.request;
  }
};

const plan = (cookie = operator, more = "") =>
  doors.ask("GET", `/preview?path=${encodeURIComponent(path)}${more}`, cookie);
const get = (address: string) => doors.inject({ method: "GET", url: `/ui/v1${address}` });
const opened = async (node: Node): Promise<string> => {
  const asking = plan();
  await answer(node, planned);
  return (await asking).body.path;
};

test("a preview is a playlist and segments behind one signed address, made by one node", async () => {
  const node = await aNode("edit-07");
  const asking = plan();
  expect(await answer(node, planned)).toEqual({ do: "preview", uri: path });
  const { body } = await asking;
  expect(body).toMatchObject({ node: "edit-07", preview });
  const playlist = await get(body.path);
  expect([playlist.status, playlist.headers["content-type"]]).toEqual([200, "application/vnd.apple.mpegurl"]);
  expect(playlist.text).toContain("2.m4s");
  const first = get(body.path.replace("index.m3u8", "init.mp4"));
  expect(await answer(node, segment)).toEqual({ do: "segment", uri: path, state: "1.2.3", segment: 0 });
  expect((await first).text).toBe(init.toString());
  const last = get(body.path.replace("index.m3u8", "2.m4s"));
  expect(await answer(node, segment)).toMatchObject({ segment: 2 });
  expect((await last).text).toBe(fragment.toString());
});

test("no other address opens it: a changed one, an expired one, one of another purpose, no such part", async () => {
  const address = await opened(await aNode("edit-07"));
  const token = address.split("/")[2] ?? "";
  const [what = "", until = "", who = "", signature = ""] = token.split(".");
  const machine = Buffer.from("this machine").toString("base64url");
  const forged = [
    `${Number(what) + 1}.${until}.${who}.${signature}`,
    `${what}.${Number(until) + 1}.${who}.${signature}`,
    `${what}.${until}.${machine}.${signature}`,
    `${what}.${until}.${who}.`,
    "x",
  ];
  for (const each of forged) expect((await get(address.replace(token, each))).status).toBe(401);
  expect((await get(`/media/${token}/a`)).status).toBe(401);
  for (const name of ["3.m4s", "-1.m4s", "1e0.m4s", "0.M4S", "..%2Findex.m3u8", "index.m3u8%00"])
    expect([name, (await get(address.replace("index.m3u8", name))).status]).toEqual([name, 404]);
  await doors.clock.advance(3_700_000);
  const late = await get(address);
  expect([late.status, late.body.message]).toEqual([401, "This preview has ended: open the file again"]);
});

test("an address ends with the person it was made for", async () => {
  const address = await opened(await aNode("edit-07"));
  expect((await get(address)).status).toBe(200);
  await doors.people.remove("operator");
  expect((await get(address)).status).toBe(401);
});

describe("what cannot be made is said in words", () => {
  const refused = async (node: Node, told: FileResponse) => {
    const asking = plan();
    await answer(node, told);
    const { status, body } = await asking;
    return [status, body.message];
  };

  test("a node refuses, is busy, or answers what was not asked", async () => {
    const node = await aNode("edit-07");
    expect(await refused(node, { is: "refused", message: "it is not lent" })).toEqual([404, "edit-07: it is not lent"]);
    expect(await refused(node, { is: "busy", message: "later" })).toEqual([503, "edit-07: later"]);
    expect(await refused(node, segment)).toEqual([
      503,
      "edit-07 answered something else than it was asked: it answered segment, and preview was asked",
    ]);
  });

  test("nobody can, the one that was asked for is too old, or is gone", async () => {
    expect((await plan()).body.message).toMatch(/No connected node can make previews/);
    const old = await aNode("old", [filesCapability]);
    expect((await plan(operator, `&node_id=${old.id}`)).body.message).toMatch(/makes no previews/);
    const node = await aNode("edit-07");
    const address = (await opened(node)).replace("index.m3u8", "1.m4s");
    const asking = get(address);
    await node.take();
    doors.farm.nodeRequests.leave(node.id);
    expect(await asking).toMatchObject({ status: 503, body: { message: "The node is no longer connected" } });
    doors.farm.registry.disconnect(node.id, node.connection);
    const gone = await get(address);
    expect(gone.body.message).toMatch(/edit-07 is not connected: open the file again/);
    expect(gone.headers["cache-control"]).toBe("no-store"); // a browser that tries again must reach the coordinator
  });

  test("a node that is lent is asked before one whose owner is there", async () => {
    const taken = await aNode("taken");
    const free = await aNode("free");
    const standing = {
      state: "inUse",
      why: "Somebody uses it",
      until: null,
      takes: false,
      isSuspended: false,
    } as const;
    doors.farm.registry.stand(taken.id, standing, 0);
    const asking = plan();
    await answer(free, planned);
    expect((await asking).body.node).toBe("free");
    expect(await taken.take()).toEqual([]);
  });
});

test("viewers open what jobs made, and no other file", async () => {
  await aNode("edit-07");
  expect((await plan(await doors.enter("viewer"))).status).toBe(403);
  expect((await doors.ask("GET", "/tasks/1/outputs/0/preview")).status).toBe(401);
  expect((await doors.ask("GET", "/tasks/1/outputs/0/preview", await doors.enter("viewer", "other"))).status).toBe(404);
  expect((await doors.ask("GET", `/preview?path=${join("/", "x")}`)).status).toBe(401);
});
