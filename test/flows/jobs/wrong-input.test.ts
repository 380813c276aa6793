import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource, anMp4Target, aTranscodeTo } from "../../helpers/farm/job-builders.ts";
import { ffmpegPath, make } from "../../helpers/media/media-tools.ts";
import { type FarmProcesses, startFarm } from "../../helpers/processes/farm-processes.ts";

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
