import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFiles } from "../../../../agent/files/index.ts";
import { grantCommit, takeReport } from "../../../../coordinator/attempts/report.ts";
import { parseRange } from "../../../../coordinator/http/files/send-range.ts";
import { type FileRequest, type FileResponse, filesCapability } from "../../../../shared/protocol/node-files.ts";
import { openTestDoors, type TestDoors } from "../../../helpers/farm/doors.ts";
import {
  aConnection,
  aCopy,
  aFolder,
  aJob,
  aReport,
  aSource,
  removeFolder,
  waitingFor,
} from "../../../helpers/farm/farm.ts";
import { submitJob } from "../../../helpers/farm/submit-job.ts";

let folder: string;
let media: string;
let data: string;
let doors: TestDoors;
let viewer: string;
let node: Node | undefined;

beforeEach(async () => {
  node = undefined;
  folder = realpathSync(aFolder());
  media = join(folder, "media");
  mkdirSync(media);
  data = join(folder, "data");
  mkdirSync(data);
  doors = await openTestDoors(data);
  viewer = await doors.enter("viewer");
});
afterEach(async () => {
  await doors.close();
  removeFolder(folder);
});

type Node = Awaited<ReturnType<TestDoors["node"]>>;

const mediaNode = (roots: readonly string[]): Promise<Node> =>
  doors.node({
    roots: [...roots],
    tools: { ffmpeg: null, ffprobe: null, capabilities: ["ffmpeg", "ffprobe", filesCapability] },
  });

/** Lets a node answer every question about its files at once. */
const serve = (to: Node, answer: (ask: FileRequest) => Promise<FileResponse> | FileResponse): void => {
  const before = to.connection.send;
  Object.assign(to.connection, {
    send: (message: Parameters<typeof before>[0]) => {
      if (message.type !== "request") return before(message);
      const { id } = message;
      void Promise.resolve(answer(message.request)).then((response) =>
        doors.farm.nodeRequests.take(to.id, { type: "response", id, response }),
      );
    },
  });
};

/** What a real agent answers that lends these folders, and keeps its own ones. */
const honest = (roots: readonly string[]) => {
  const unused = () => {
    throw new Error("not asked here");
  };
  const needs = {
    roots,
    own: [],
    mounts: () => [],
    flavour: "posix",
    viewOf: unused,
    previews: { answer: unused },
  } as const;
  return createFiles(needs);
};

/** A job whose copy made a file at this place, which is there with these bytes; its task's id. */
const aTaskThatMade = async (path: string, bytes: string, size = bytes.length, checksum?: string): Promise<number> => {
  if (!node) {
    node = await mediaNode([media, "/media", "/out"]);
    serve(node, honest([media]));
  }
  const target = { location: { storage_provider: "file", path: media }, file_pattern: basename(path) };
  const elements = [aSource(), aCopy({ payload: { target } })];
  await submitJob(doors.farm, aJob({ payload: { elements, connections: [aConnection("src", ["copy"])] } }));
  await takeReport(doors.farm, node.id, aReport(await node.assigned()));
  const copy = await node.assigned();
  const [output = ""] = Object.keys(copy.work.outputs);
  const uri = `file://${path}`;
  const file = {
    output,
    temp: waitingFor(uri, copy.fence),
    final: uri,
    size,
    identity: "id",
    existing: "fail" as const,
  };
  await grantCommit(doors.farm, node.id, copy.fence, { files: [file] });
  const published = { outputs: { [output]: [{ uri, size, ...(checksum && { checksum }) }] }, found: {} };
  await takeReport(doors.farm, node.id, aReport(copy, { outcome: { outcome: "published", published } }));
  return copy.taskId;
};
const link = (taskId: number) => doors.ask("GET", `/tasks/${taskId}/outputs/0/link`, viewer);
const fetched = (path: string, range?: string) =>
  doors.inject({ method: "GET", url: `/ui/v1${path}`, headers: range === undefined ? {} : { range } });

describe("a file that a job made", () => {
  test("is played in ranges by an address that needs no cookie", async () => {
    writeFileSync(join(media, "film.mp4"), "0123456789");
    const { body } = await link(await aTaskThatMade(join(media, "film.mp4"), "0123456789"));
    expect(body).toMatchObject({ show: "video", type: "video/mp4" });
    const whole = await fetched(body.path);
    expect([whole.status, whole.text, whole.headers["content-type"]]).toEqual([200, "0123456789", "video/mp4"]);
    const part = await fetched(body.path, "bytes=2-4");
    expect([part.status, part.text, part.headers["content-range"]]).toEqual([206, "234", "bytes 2-4/10"]);
    expect((await fetched(body.path, "bytes=20-")).status).toBe(416);
    expect(whole.headers["content-security-policy"]).toBe("default-src 'none'; sandbox");
  });

  test("is not played by an address that somebody changed, nor after its time", async () => {
    writeFileSync(join(media, "film.mp4"), "0123456789");
    const { body } = await link(await aTaskThatMade(join(media, "film.mp4"), "0123456789"));
    expect((await fetched(body.path.replace(/\/media\/(\d+)\./, "/media/9$1."))).status).toBe(401);
    expect((await fetched(body.path.replace("film.mp4", "..%2Fsecret.key"))).status).toBe(404);
    await doors.clock.advance(3_700_000);
    expect((await fetched(body.path)).status).toBe(401);
  });

  test("is refused in words where it is another one now, lies elsewhere, or outside of what nodes may read", async () => {
    writeFileSync(join(media, "film.mp4"), "another");
    const changed = await link(await aTaskThatMade(join(media, "film.mp4"), "0123456789"));
    expect(changed.status).toBe(404);
    expect(changed.body.message).toMatch(/Another file lies there now: 7 bytes, and 10 were made$/);
    const gone = await link(await aTaskThatMade(join(media, "gone.mp4"), "x"));
    expect(gone.body.message).toMatch(/no such file/);
    writeFileSync(join(folder, "secret.mp4"), "secret");
    symlinkSync(join(folder, "secret.mp4"), join(media, "link.mp4"));
    const outside = await link(await aTaskThatMade(join(media, "link.mp4"), "secret"));
    expect(outside.body.message).toMatch(/outside of the folders/);
  });
});

describe("a program", () => {
  const checksum = `sha256:${createHash("sha256").update("0123456789").digest("hex")}`;
  const read = async (taskId: number, more: object = {}, method: "GET" | "HEAD" = "GET") =>
    doors.inject({
      method,
      url: `/v1/tasks/${taskId}/outputs/0`,
      headers: { ...(await doors.enterAsProgram()), ...more },
    });
  const made = async (): Promise<number> => {
    writeFileSync(join(media, "film.mp4"), "0123456789");
    return aTaskThatMade(join(media, "film.mp4"), "0123456789", 10, checksum);
  };

  test("fetches a file with its token, whole or from where it was, and learns its length without a byte", async () => {
    const taskId = await made();
    const whole = await read(taskId);
    expect([whole.status, whole.text]).toEqual([200, "0123456789"]);
    expect(whole.headers).toMatchObject({
      etag: `"${checksum.slice(7)}"`,
      "content-length": "10",
      "accept-ranges": "bytes",
      "content-disposition": "attachment; filename*=UTF-8''film.mp4",
      "repr-digest": `sha-256=:${createHash("sha256").update("0123456789").digest("base64")}:`,
    });
    const rest = await read(taskId, { range: "bytes=7-", "if-range": whole.headers.etag });
    expect([rest.status, rest.text, rest.headers["content-range"]]).toEqual([206, "789", "bytes 7-9/10"]);
    const other = await read(taskId, { range: "bytes=7-", "if-range": '"another"' });
    expect([other.status, other.text]).toEqual([200, "0123456789"]);
    expect((await read(taskId, { "if-none-match": whole.headers.etag })).status).toBe(304);
    const head = await read(taskId, {}, "HEAD");
    expect([head.status, head.text, head.headers["content-length"]]).toEqual([200, "", "10"]);
    expect((await read(taskId, { range: "bytes=10-" })).status).toBe(416);
  });

  test("lists size and checksum, and gets an address that opens without credentials until it expires", async () => {
    const taskId = await made();
    const headers = await doors.enterAsProgram();
    const list = await doors.inject({ method: "GET", url: "/v1/jobs/1/outputs", headers });
    expect(list.body.items).toMatchObject([{ size: 10, checksum, task_id: String(taskId), position: 0 }]);
    const { body } = await doors.inject({ method: "GET", url: `/v1/tasks/${taskId}/outputs/0/link`, headers });
    expect(body).toMatchObject({ size: 10, checksum, type: "video/mp4" });
    const open = () => doors.inject({ method: "GET", url: `/v1${body.path}`, headers: { range: "bytes=-2" } });
    const part = await open();
    expect([part.status, part.text]).toEqual([206, "89"]);
    await doors.clock.advance(3_700_000);
    expect((await open()).status).toBe(401);
  });

  test("fetches nothing of a job that it does not reach, without a scope, or without credentials", async () => {
    const taskId = await made();
    const url = `/v1/tasks/${taskId}/outputs/0`;
    const own = await doors.enterAsProgram({ scopes: ["jobs:read"], reach: "own", group: null }, "own");
    const other = await doors.inject({ method: "GET", url, headers: own });
    const missing = await doors.inject({ method: "GET", url: "/v1/tasks/987/outputs/0", headers: own });
    expect([other.status, other.body.message]).toEqual([404, missing.body.message.replace("987", String(taskId))]);
    const nodes = await doors.enterAsProgram({ scopes: ["nodes:read"], reach: "all", group: null }, "nodes");
    expect((await doors.inject({ method: "GET", url, headers: nodes })).status).toBe(403);
    expect((await doors.inject({ method: "GET", url })).status).toBe(401);
    expect((await read(taskId, {})).status).toBe(200);
    const none = await doors.inject({ method: "GET", url: `/v1/tasks/${taskId}/outputs/7`, headers: own });
    expect(none.status).toBe(404);
  });
});

describe("a node that lies", () => {
  const secret = "the farm's own key";

  test.each(["machine.key", "secret.key"])("has no %s of the coordinator read by what it says", async (name) => {
    if (name === "machine.key") writeFileSync(join(data, name), secret);
    const bytes = readFileSync(join(data, name), "latin1");
    node = await mediaNode(["/", media, "/media", "/out"]);
    serve(node, () => ({ is: "refused", message: "no" }));
    symlinkSync(join(data, name), join(media, name));
    for (const path of [join(media, name), join(folder, "..", basename(folder), "media", name)]) {
      const answer = await link(await aTaskThatMade(path, bytes));
      expect([answer.status, answer.text.includes(bytes)]).toEqual([404, false]);
    }
    doors.farm.registry.disconnect(node.id, node.connection);
    const operator = await doors.enter("operator");
    const listed = await doors.ask("GET", `/folder?path=${encodeURIComponent(data)}`, operator);
    expect([listed.status, listed.text.includes(name)]).toEqual([404, false]);
  });

  test.each([
    ["a piece that is too long", (length: number) => ({ size: 10, data: b64("x".repeat(length + 40)) })],
    ["a piece that is too short", (length: number) => ({ size: 10, data: b64("x".repeat(Math.max(0, length - 1))) })],
    ["another size", (length: number) => ({ size: 9, data: b64("x".repeat(length)) })],
    ["text that is not base64", () => ({ size: 10, data: "HTTP/1.1 200 OK" })],
  ])("by %s ends that one answer, which has no more bytes than were asked", async (_what, told) => {
    writeFileSync(join(media, "film.mp4"), "0123456789");
    const { body } = await link(await aTaskThatMade(join(media, "film.mp4"), "0123456789"));
    if (node)
      serve(node, (ask) => {
        const length = ask.do === "read" ? ask.length : 0;
        return length === 0 ? { is: "piece", size: 10, data: "" } : { is: "piece", ...told(length) };
      });
    const answer = await fetched(body.path, "bytes=2-4").catch(() => undefined);
    // An answer that ended before its first byte, and is as long as it says.
    if (!answer) return;
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(answer.text).not.toContain("xx");
    expect(Buffer.byteLength(answer.text)).toBe(Number(answer.headers["content-length"]));
  });
});

const b64 = (text: string): string => Buffer.from(text).toString("base64");

test("only who is signed in gets an address", async () => {
  expect((await doors.ask("GET", "/tasks/1/outputs/0/link")).status).toBe(401);
  expect((await link(99)).status).toBe(404);
});

describe("folders", () => {
  const list = async (path: string, cookie: string) => {
    const { status, body } = await doors.ask("GET", `/folder?path=${encodeURIComponent(path)}`, cookie);
    return [status, status === 200 ? body.entries.map(({ name }: { name: string }) => name) : body.message];
  };

  test("that nodes may read are listed to operators, without hidden files, and nothing else is", async () => {
    serve(await mediaNode([media]), honest([media]));
    const operator = await doors.enter("operator");
    writeFileSync(join(media, "film.mov"), "1");
    writeFileSync(join(media, ".hidden"), "1");
    mkdirSync(join(media, "sub"));
    expect(await list("", operator)).toEqual([200, [media]]);
    expect(await list(media, operator)).toEqual([200, ["sub", "film.mov"]]);
    expect(await list(`${media}/..`, operator)).toEqual([
      404,
      `${media}/.. is not a folder that a connected node may read`,
    ]);
    expect((await list("", viewer))[0]).toBe(403);
  });
});

test.each([
  [undefined, "none"],
  ["bytes=0-", { start: 0, end: 9 }],
  ["bytes=-3", { start: 7, end: 9 }],
  ["bytes=5-99", { start: 5, end: 9 }],
  ["bytes=10-", "outside"],
  ["bytes=4-2", "outside"],
  ["bytes=0-1,3-4", "none"],
  ["bytes=-", "none"],
  ["lines=1-2", "none"],
])("the range %j of ten bytes is %j", (header, range) => {
  expect(parseRange(header, 10)).toEqual(range);
});
