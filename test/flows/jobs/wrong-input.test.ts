import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource, anMp4Target, aTranscodeTo } from "../../helpers/farm/job-builders.ts";
import { ffmpegPath, make } from "../../helpers/media/media-tools.ts";
import { exitOf, type FarmProcesses, startFarm } from "../../helpers/processes/farm-processes.ts";

let farm: FarmProcesses;
beforeAll(async () => {
  farm = await startFarm();
  await farm.startAgent();
});
afterAll(async () => {
  await farm[Symbol.asyncDispose]();
});

/** A job that only reads: what becomes of its source decides. */
const outcomeOf = async (path: string) => {
  const info = await farm.untilEnded(
    await farm.submit(aChain([aFileSource(path), aCopyTo(join(farm.folder, "copies"))])),
  );
  return `${info.status}: ${info.error}`;
};

const post = async (body: string) => {
  const { oapi_key, oapi_secret, auth_key, auth_secret } = farm.secrets;
  const headers = {
    authorization: `Basic ${btoa(`${oapi_key}:${oapi_secret}`)}`,
    "x-service-compliance": "20261101",
    "content-type": "application/json",
  };
  const login = await fetch(`${farm.baseUrl}/login`, {
    method: "POST",
    headers,
    body: JSON.stringify({ auth_key, auth_secret }),
  });
  const { token } = (await login.json()) as { token: string };
  const response = await fetch(`${farm.baseUrl}/jobs`, {
    method: "POST",
    headers: { ...headers, "x-service-sapiauth": token },
    body,
  });
  return {
    status: response.status,
    body: (await response.json()) as { error: string; message: string; details: unknown[] },
  };
};

describe("what a client sends wrong is answered with 400 and names the thing", () => {
  test("a body that is not JSON", async () => {
    const { status, body } = await post("{ not json");
    expect([status, body.error]).toEqual([400, "INVALID_JSON"]);
  });

  test("an element kind that does not exist", async () => {
    const { status, body } = await post(
      JSON.stringify({ name: "x", payload: { elements: [{ uid: "a", kind: "transmogrify", payload: {} }] } }),
    );
    expect([status, body.error]).toEqual([400, "VALIDATION_FAILED"]);
    expect(body.details).toEqual([{ path: "payload.elements[0].kind", message: expect.stringContaining("transcode") }]);
  });

  test("a connection to an element that does not exist", async () => {
    const { status, body } = await post(
      JSON.stringify(aChain([aFileSource("/x"), { uid: "a", kind: "copy", payload: {} }])),
    );
    expect(status).toBe(400);
    expect(body.message).toContain("payload.elements[1].payload.target");
  });
});

describe("what a job names wrong fails the job and names the thing", () => {
  test("a source that is not there", async () => {
    const path = join(farm.media, "nothing.mp4");
    expect(await outcomeOf(path)).toBe(`failed: source: no such file: ${path}`);
  });

  test("a text file as source", async () => {
    const path = join(farm.media, "notes.mp4");
    writeFileSync(path, "These are notes and no media at all.\n".repeat(20));
    expect(await outcomeOf(path)).toMatch(/^failed: source: .*notes\.mp4 is a text file, not media/);
  });

  test("a playlist with an innocent name", async () => {
    const path = join(farm.media, "innocent.mp4");
    writeFileSync(path, "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n/etc/hostname\n#EXT-X-ENDLIST\n");
    expect(await outcomeOf(path)).toMatch(/^failed: source: .*innocent\.mp4 is an? HLS playlist/);
  });

  test("a source outside of the roots", async () => {
    expect(await outcomeOf("/etc/hostname")).toMatch(/^failed: source: \/etc\/hostname is outside of the folders/);
  });

  test("a source outside of the roots by a symlink", async () => {
    const path = join(farm.media, "link.mp4");
    symlinkSync("/etc/hostname", path);
    const outcome = await outcomeOf(path);
    expect(outcome).toMatch(/^failed: source: .*link\.mp4.*outside/);
    expect(outcome).not.toContain("/etc/hostname"); // where links lead is nobody's business
  });

  test.skipIf(ffmpegPath === undefined)("a target outside of the roots, before anything is encoded", async () => {
    const source = await make(join(farm.media, "ok.mp4"), "-f", "lavfi", "-i", "testsrc2=size=64x64:duration=0.2");
    const target = anMp4Target({ audio: undefined });
    const id = await farm.submit(aChain([aFileSource(source), aTranscodeTo("/var/opt/elsewhere", [target])]));
    expect((await farm.untilEnded(id)).error).toMatch(/transcode: .*\/var\/opt\/elsewhere.* is outside of the folders/);
  });

  test("an element kind that needs a licensed program", async () => {
    const id = await farm.submit(aChain([{ uid: "tell", kind: "dolby_vision", payload: {} }]));
    expect((await farm.untilEnded(id)).error).toBe(
      `tell: tell: elements of kind "dolby_vision" need Dolby's licensed Dolby Vision tools, which this farm does not have`,
    );
  });
});

describe("what keeps a program from starting ends it with status 1 and one sentence", () => {
  const startsBadly = async (words: string[], env: Record<string, string> = {}) => {
    const { status, stderr } = await farm.run(["up", "--json", ...words], env);
    expect(stderr).not.toMatch(/\n\s+at /);
    return { status, stderr };
  };

  test("a port that another program has", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address ? String(address.port) : "";
    const { status, stderr } = await startsBadly(["--port", port, "--data", join(farm.folder, "p")]);
    server.close();
    expect([status, stderr]).toEqual([1, expect.stringContaining(`Port ${port} on 127.0.0.1 is not available`)]);
  });

  test("a data folder that cannot be written", async () => {
    const inTheWay = join(farm.folder, "file");
    writeFileSync(inTheWay, "a file where a folder should be");
    const { status, stderr } = await startsBadly(["--port", "0", "--data", join(inTheWay, "data")]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("cannot be written")]);
  });

  test.skipIf(process.getuid?.() === 0)(
    "a data folder without write permission (skipped for root, who may)",
    async () => {
      const folder = join(farm.folder, "readonly");
      mkdirSync(folder);
      chmodSync(folder, 0o500);
      const { status, stderr } = await startsBadly(["--port", "0", "--data", join(folder, "data")]);
      expect([status, stderr]).toEqual([1, expect.stringContaining("cannot be written")]);
    },
  );

  test("a database that is newer than the program", async () => {
    const folder = join(farm.folder, "newer/coordinator");
    mkdirSync(folder, { recursive: true });
    const db = new Database(join(folder, "farm.db"));
    db.pragma("user_version = 9999");
    db.close();
    const { status, stderr } = await startsBadly(["--port", "0", "--data", join(farm.folder, "newer")]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("has version 9999")]);
  });

  test("a data folder that another coordinator uses", async () => {
    const { status, stderr } = await startsBadly(["--port", "0", "--no-agent", "--data", join(farm.folder, "farm")]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("Another coordinator is using")]);
  });

  test("an ffmpeg that is not where FFMPEG_PATH says", async () => {
    const env = { FFMPEG_PATH: "/nonexistent/ffmpeg" };
    const { status, stderr } = await startsBadly(["--port", "0", "--data", join(farm.folder, "f")], env);
    expect([status, stderr]).toEqual([1, expect.stringContaining("/nonexistent/ffmpeg")]);
  });

  test("a root that is not a folder", async () => {
    const { status, stderr } = await startsBadly([
      "--port",
      "0",
      "--root",
      "/nonexistent",
      "--data",
      join(farm.folder, "r"),
    ]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("/nonexistent: there is no such folder")]);
  });

  test("a command that does not exist is wrong usage: status 2", async () => {
    expect((await farm.run(["upp"])).status).toBe(2);
  });
});

test("SIGTERM ends `up` with status 0 and takes its agent along", async () => {
  const alone = await startFarm();
  const { child } = alone.coordinator();
  child.kill("SIGTERM");
  expect(await exitOf(child)).toBe(0);
  await alone[Symbol.asyncDispose]();
});
