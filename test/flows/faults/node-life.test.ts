import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource, anMp4Target, aTranscodeTo } from "../../helpers/farm/job-builders.ts";
import { ffmpegPath, make } from "../../helpers/media/media-tools.ts";
import { type FarmProcesses, startFarm, stop, until } from "../../helpers/processes/farm-processes.ts";
import { descendantsOf } from "./descendants.ts";

const isPossible = ffmpegPath !== undefined && process.platform === "linux";
/** A stop is to free every node within seconds: whoever waits longer has waited in vain. */
const secondsMs = 10_000;

/** Nobody waits for its end: an hour of picture. */
const endless = anMp4Target({
  audio: undefined,
  video: { codec: "h264", width: 1280, height: 720, preset: "medium", bitrate_kb: 2000 },
});

const makeLongSource = async (farm: FarmProcesses) => {
  const film = [
    "-f",
    "lavfi",
    "-i",
    "testsrc2=size=640x360:rate=25:duration=4",
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
  ];
  const short = await make(join(farm.media, "short.mp4"), ...film);
  return make(join(farm.media, "long.mp4"), "-stream_loop", "899", "-i", short, "-c", "copy");
};

/** One transcode for each node. */
const startTranscodes = async (farm: FarmProcesses, names: readonly string[]) => {
  const source = aFileSource(await makeLongSource(farm));
  const targets = names.map((name) => ({ ...endless, file_pattern: `${name}.mp4` }));
  const jobs = targets.map((target) => aChain([source, aTranscodeTo(join(farm.folder, "out"), [target])]));
  return Promise.all(jobs.map((job) => farm.submit(job)));
};

const nodesOf = async (farm: FarmProcesses) => (await farm.client.listNodes({})).items;
const isTranscoding = async (farm: FarmProcesses, names: readonly string[]) =>
  (await nodesOf(farm)).filter(
    ({ name, running }) => names.includes(name) && running.some(({ progress }) => progress > 0),
  ).length === names.length;

describe.skipIf(!isPossible)("with real programs (skipped where there is no ffmpeg, or no Linux)", () => {
  test("PUT /stop ends the programs of every node within seconds, leaves no file, and the nodes are free", async () => {
    await using farm = await startFarm();
    const names = ["one", "two", "three"];
    const agents = await Promise.all(names.map((name) => farm.startAgent(name)));
    const ids = await startTranscodes(farm, names);
    await until("every node to transcode", () => isTranscoding(farm, names), 120_000);
    const programs = () => agents.flatMap(({ child }) => descendantsOf(child.pid ?? 0));
    const before = programs().length;
    await Promise.all(ids.map((job_id) => farm.client.stopJob({ job_id })));
    await until("all programs to end", () => programs().length === 0, secondsMs);
    await until("hidden files to go", () => readdirSync(join(farm.folder, "out")).length === 0, secondsMs);
    const ends = await Promise.all(ids.map((id) => farm.untilEnded(id)));
    const running = (await nodesOf(farm)).flatMap((node) => node.running);
    expect({ hadPrograms: before >= names.length, running, ends }).toEqual({
      hadPrograms: true,
      running: [],
      ends: names.map(() => expect.objectContaining({ status: "failed", substatus: "stopped" })),
    });
    const next = await farm.submit(
      aChain([aFileSource(join(farm.media, "long.mp4")), aCopyTo(join(farm.folder, "out"))]),
    );
    expect(await farm.untilEnded(next)).toMatchObject({ status: "completed" });
  });

  test("a draining node finishes what it runs while others take what comes, and can be stopped then", async () => {
    await using farm = await startFarm();
    const one = await farm.startAgent("one");
    const source = await make(join(farm.media, "short.mp4"), "-f", "lavfi", "-i", "testsrc2=size=1280x720:duration=5");
    const target = anMp4Target({ audio: undefined, video: { codec: "h264", preset: "medium" } });
    const aJob = (name: string) =>
      aChain([
        aFileSource(source),
        aTranscodeTo(join(farm.folder, "out"), [{ ...target, file_pattern: `${name}.mp4` }]),
      ]);
    const first = await farm.submit(aJob("first"));
    await until("it to transcode", () => isTranscoding(farm, ["one"]), 60_000);
    const [node] = await nodesOf(farm);
    await farm.client.updateNode({ node_id: node?.id ?? "", state: "drain" });
    await farm.startAgent("two");
    const second = await farm.submit(aJob("second"));
    const ends = [await farm.untilEnded(first), await farm.untilEnded(second)].map(({ status }) => status);
    const where = await Promise.all([first, second].map((id) => nodeOfTranscode(farm, id)));
    expect({ ends, where }).toEqual({ ends: ["completed", "completed"], where: ["one", "two"] });
    await stop(one);
    expect((await nodesOf(farm)).map(({ name, state }) => [name, state])).toEqual([
      ["one", "drain"],
      ["two", "active"],
    ]);
    await farm.startAgent("one");
    expect((await nodesOf(farm)).find(({ name }) => name === "one")).toMatchObject({
      state: "drain",
      presence: "online",
    });
  });
});

const nodeOfTranscode = async (farm: FarmProcesses, id: string) => {
  const { items } = await farm.client.listTasks({ job_id: id, fields: ["id", "kind"] });
  const task = items.find(({ kind }) => kind === "transcode");
  return (await farm.client.getTaskLog({ task_id: String(task?.id) })).items.at(-1)?.node;
};
