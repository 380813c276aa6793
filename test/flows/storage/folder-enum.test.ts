import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cpuMsOf } from "../../../bench/farms/cpu.ts";
import { peakBytes } from "../../../bench/farms/program.ts";
import { aFolder, fakeFfmpeg, fakeFfprobe, media } from "../../helpers/agent/agent-fixture.ts";
import { aChain, aCopyTo } from "../../helpers/farm/job-builders.ts";
import { isLong, share } from "../../helpers/long.ts";
import { type FarmProcesses, startFarm } from "../../helpers/processes/farm-processes.ts";
import { type ServerKind, serverKinds, startServers } from "../../servers/index.ts";

const tools = { ffmpegPath: fakeFfmpeg, ffprobePath: fakeFfprobe };
const kinds = share(serverKinds("an enumeration"), (kind) => kind === "s3");

const anEnumeration = (source: object, settings: object) => ({
  uid: "each",
  kind: "folder_enum",
  payload: { source, settings },
});

const outDir = (farm: FarmProcesses, name: string): string => {
  const path = join(farm.folder, name);
  mkdirSync(path);
  return path;
};

describe.skipIf(kinds.length === 0)("folders on real servers are enumerated", () => {
  let folder: Awaited<ReturnType<typeof aFolder>>;
  let started: Awaited<ReturnType<typeof startServers>>;
  let farm: FarmProcesses;

  beforeAll(async () => {
    folder = await aFolder();
    [started, farm] = await Promise.all([startServers(folder.path, kinds), startFarm()]);
    await farm.client.changeOutbound({ add: ["127.0.0.1"] }); // where the servers of this test are
    await farm.startMortalAgent({ name: "one", dataDir: farm.dataOf("one"), slots: 4, ...tools });
  }, 120_000);
  afterAll(async () => {
    await started?.stop();
    await farm?.[Symbol.asyncDispose]();
    await folder.remove();
  });

  const names = ["in/a 1.mov", "in/b%20ü.mov", "in/c.txt", "in/.hidden.mov", "in/below/d.mov", "in/below/deeper/e.mov"];
  /** Filled once: for a while Swift lists a file that was put again with the time that it had before. */
  const filled = new Set<ServerKind>();
  const sourceOf = async (kind: ServerKind) => {
    const server = started.servers[kind];
    if (!server) throw new Error(`There is no server of ${kind}`);
    for (const name of filled.has(kind) ? [] : names) await server.put(name, Buffer.from(media(name)));
    filled.add(kind);
    const { kind: scheme, ...fields } = server.credential;
    return { path: `${server.folder}/in`, access: { [scheme]: fields } };
  };
  const tasksOf = async (id: string) => {
    const { items } = await farm.client.listTasks({ job_id: id, fields: ["kind", "name"] });
    return items.flatMap(({ kind, name }) => (kind === "copy" ? [name ?? ""] : [])).sort();
  };

  test.for(kinds)("by a wildcard, with the folders below, two files a batch: %s", async (kind) => {
    const out = outDir(farm, `below-${kind}`);
    const settings = { wildcard: "*.mov", recursive: true, files_per_job: 2 };
    const id = await farm.submit(aChain([anEnumeration(await sourceOf(kind), settings), aCopyTo(out)]));
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed", error: null });
    expect(readdirSync(out).sort()).toEqual(["a 1.mov", "b%20ü.mov", "d.mov", "e.mov"]);
    expect(readFileSync(join(out, "e.mov"), "utf8")).toBe(media("in/below/deeper/e.mov"));
    expect(await tasksOf(id)).toHaveLength(2);
  });

  test.for(kinds)("by a regular expression, one file a batch: %s", async (kind) => {
    const out = outDir(farm, `flat-${kind}`);
    const settings = { pattern_matching: "regex", regex: "^[ac]" };
    const id = await farm.submit(aChain([anEnumeration(await sourceOf(kind), settings), aCopyTo(out)]));
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed", error: null });
    expect(readdirSync(out).sort()).toEqual(["a 1.mov", "c.txt"]);
    expect(await tasksOf(id)).toHaveLength(2);
  });
});

describe.skipIf(!isLong)("an enumeration of 5,000 files (in npm run long)", () => {
  test("costs as much a file as one of 500, and takes at most twice the memory", { timeout: 3_600_000 }, async () => {
    const costOf = async (files: number) => {
      await using farm = await startFarm();
      const agent = await farm.startMortalAgent({ name: "one", dataDir: farm.dataOf("one"), slots: 4, ...tools });
      const [into, out] = [outDir(farm, "in"), outDir(farm, "out")];
      for (let nr = 0; nr < files; nr++) writeFileSync(join(into, `${nr}.mov`), media(String(nr)));
      const pids = [farm.coordinator(), agent].map(({ child }) => child.pid ?? 0);
      const before = pids.map(cpuMsOf);
      const id = await farm.submit(aChain([anEnumeration({ path: into }, {}), aCopyTo(out)]));
      expect(await farm.untilEnded(id)).toMatchObject({ status: "completed", error: null });
      expect(readdirSync(out)).toHaveLength(files);
      const spent = pids.map((pid, index) => cpuMsOf(pid) - (before[index] ?? 0));
      return { files, cpuMs: spent.map((ms) => ms / files), peak: pids.map(peakBytes) };
    };
    const [few, many] = [await costOf(500), await costOf(Number(process.env.MEDIAFARM_FILES ?? 5000))];
    console.info(JSON.stringify([few, many]));
    for (const [index, ms] of many.cpuMs.entries()) expect(ms / (few.cpuMs[index] ?? 0)).toBeLessThan(1.5);
    for (const [index, bytes] of many.peak.entries()) expect(bytes / (few.peak[index] ?? 0)).toBeLessThan(2);
  });
});
