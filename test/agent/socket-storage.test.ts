import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { statusError } from "../../agent/storage/http/status.ts";
import { providers } from "../../agent/storage/index.ts";
import type { Provider } from "../../agent/storage/storage.ts";
import type { Assignment } from "../../shared/protocol/messages.ts";
import { aFarm, anAssignment, type Farm, media } from "../helpers/agent/agent-fixture.ts";
import { memoryProvider, startMemoryServer } from "../helpers/agent/socket-storage.ts";

let farm: Farm;
let server: Awaited<ReturnType<typeof startMemoryServer>>;
/** So many times its server answers that it cannot make a folder now. */
let refusals: number;

const restingProvider = (port: number): Provider => {
  const { abilities, open } = memoryProvider(port);
  const openResting: Provider["open"] = (needs) => {
    const storage = open(needs);
    const prepare = async (uri: string): Promise<void> => {
      if (refusals-- > 0) throw statusError({ status: 503, headers: {} }, uri);
      return storage.prepare(uri);
    };
    return { ...storage, prepare };
  };
  return { abilities, open: openResting };
};

beforeEach(async () => {
  refusals = 0;
  [farm, server] = await Promise.all([aFarm(), startMemoryServer()]);
  const config = { ...farm.config, allowOutbound: [`127.0.0.1:${server.port}`] };
  // One line in the table is all that a new kind of storage needs beside a folder of its own.
  await farm.start({ config, providers: { ...providers, memory: restingProvider(server.port) } });
  await farm.coordinator.receive("hello");
});
afterEach(async () => {
  await farm.end();
  server.stop();
});

const outcomeOf = async (assignment: Assignment) => {
  farm.coordinator.assign(assignment);
  return (await farm.coordinator.reportOf(assignment.fence)).outcome;
};

const assets = { in: { uri: "memory://shelf/in.mp4" } };
const folder = "memory://shelf/out";

test("a kind of storage written in a test serves as input and target of a copy", async () => {
  server.put("memory://shelf/in.mp4", media("a film"));
  const steps = [{ do: "copy" as const, id: "copy", files: [{ from: ["in"], to: "main" }] }];
  const outcome = await outcomeOf(anAssignment({ root: farm.root, output: { folder }, work: { assets, steps } }));
  expect(outcome).toMatchObject({
    outcome: "published",
    published: { outputs: { main: [{ uri: `${folder}/result.mp4`, size: media("a film").length }] } },
  });
  expect(server.names()).toEqual(["memory://shelf/in.mp4", `${folder}/result.mp4`]);
  expect(server.get(`${folder}/result.mp4`)).toBe(media("a film"));
});

test("what a program makes goes there under a hidden name, and appears once it is granted", async () => {
  const outcome = await outcomeOf(anAssignment({ root: farm.root, output: { folder } }));
  const { intent } = await farm.coordinator.receive("commit");
  expect(outcome.outcome).toBe("published");
  expect(intent.files).toMatchObject([{ temp: `${folder}/.result.mp4.1.1.part`, final: `${folder}/result.mp4` }]);
  expect(server.asked.filter((each) => /^(write|move)/.test(each))).toEqual([
    ...[`write ${folder}/.result.mp4.1.1.part`, `move ${folder}/.result.mp4.1.1.part`],
  ]);
  expect(server.get(`${folder}/result.mp4`)).toBe(media("made"));
});

test("a server that refuses for a moment is asked again before anything is made", async () => {
  refusals = 1;
  const assignment = anAssignment({ root: farm.root, output: { folder } });
  farm.coordinator.assign(assignment);
  const { outcome, log } = await farm.coordinator.reportOf(assignment.fence);
  expect(outcome).toMatchObject({ outcome: "published" });
  expect(log).toContain(`${folder}: the server could not complete the request (status 503)`);
});

test("what a program reads is fetched into the node's cache, once while the file is the same", async () => {
  server.put("memory://shelf/in.mp4", media());
  const work = { assets, outputs: {}, steps: [{ do: "probe" as const, id: "probe", asset: "in" }] };
  const reads = () => server.asked.filter((each) => each.startsWith("read"));
  for (const counter of [1, 2]) {
    const outcome = await outcomeOf(anAssignment({ root: farm.root, counter, work }));
    expect(outcome).toMatchObject({ published: { found: { probe: { file: { uri: "memory://shelf/in.mp4" } } } } });
  }
  expect(reads()).toEqual(["read memory://shelf/in.mp4"]);
  server.put("memory://shelf/in.mp4", media("longer"));
  await outcomeOf(anAssignment({ root: farm.root, counter: 3, work }));
  expect(reads()).toHaveLength(2);
});

test("what was fetched for a look is published without a second copy, and fetched again once somebody wrote to it", async () => {
  server.put("memory://shelf/in.mp4", media("a film"));
  const look = { assets, outputs: {}, steps: [{ do: "probe" as const, id: "probe", asset: "in" }] };
  const copy = { assets, steps: [{ do: "copy" as const, id: "copy", files: [{ from: ["in"], to: "main" }] }] };
  const reads = () => server.asked.filter((each) => each.startsWith("read")).length;
  await outcomeOf(anAssignment({ root: farm.root, work: look }));
  expect(await outcomeOf(anAssignment({ root: farm.root, counter: 2, work: copy }))).toMatchObject({
    outcome: "published",
  });
  const published = join(farm.root, "out", "result.mp4");
  expect([await readFile(published, "utf8"), (await stat(published)).nlink, reads()]).toEqual([media("a film"), 2, 1]);
  await writeFile(published, media("somebody's own"));
  await outcomeOf(anAssignment({ root: farm.root, counter: 3, work: look }));
  expect([(await stat(published)).nlink, reads()]).toEqual([1, 2]);
});

test("a name that is taken there is not taken again", async () => {
  server.put(`${folder}/result.mp4`, "theirs");
  const outcome = await outcomeOf(anAssignment({ root: farm.root, output: { folder } }));
  expect(outcome).toMatchObject({ outcome: "failed", failure: { message: expect.stringContaining("result.mp4") } });
  expect([server.names(), server.get(`${folder}/result.mp4`)]).toEqual([[`${folder}/result.mp4`], "theirs"]);
});
