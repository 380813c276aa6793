import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { aChain, aFileSource, anMp4Target, aTranscodeTo } from "../../helpers/farm/job-builders.ts";
import { share } from "../../helpers/long.ts";
import { ffmpegPath, make, probe } from "../../helpers/media/media-tools.ts";
import { exitOf, type FarmProcesses, kill, startFarm, until } from "../../helpers/processes/farm-processes.ts";

/** Long enough to be interrupted: some seconds of encoding. */
const makeLongSource = (folder: string) =>
  make(
    join(folder, "long.mp4"),
    ...["-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=25:duration=8"],
    ...["-f", "lavfi", "-i", "sine=duration=8", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"],
  );

const longTarget = anMp4Target({
  video: { codec: "h264", width: 1280, height: 720, preset: "medium", bitrate_kb: 2000 },
});

const submitLongJob = async (farm: FarmProcesses) =>
  farm.submit(
    aChain([aFileSource(await makeLongSource(farm.media)), aTranscodeTo(join(farm.folder, "out"), [longTarget])]),
  );

const transcodeOf = async (farm: FarmProcesses, id: string) => {
  const { items } = await farm.client.listTasks({ job_id: id, fields: ["id", "kind", "status", "progress"] });
  return items.find(({ kind }) => kind === "transcode");
};

const untilTranscoding = (farm: FarmProcesses, id: string) =>
  until("the transcode to make progress", async () => ((await transcodeOf(farm, id))?.progress ?? 0) > 0);

const attemptsOf = async (farm: FarmProcesses, id: string) => {
  const task = await transcodeOf(farm, id);
  return (await farm.client.getTaskLog({ task_id: String(task?.id) })).items.map(({ state }) => state);
};

/** Everything in the folder: no hidden file may be left of any attempt. */
const namesIn = (farm: FarmProcesses) => readdirSync(join(farm.folder, "out"));

describe.skipIf(ffmpegPath === undefined)("after kill -9 (skipped where there is no ffmpeg)", () => {
  test("of the agent in the middle of a transcode, the task runs again when it returns", async () => {
    await using farm = await startFarm();
    const agent = await farm.startAgent();
    const id = await submitLongJob(farm);
    await untilTranscoding(farm, id);
    await kill(agent);
    await farm.startAgent();
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed" });
    expect(await attemptsOf(farm, id)).toEqual(["lost", "published"]);
    expect(namesIn(farm)).toEqual(["long_made.mp4"]);
  });

  test("of the coordinator in the middle of a transcode, the agent finishes and reports to the new one", async () => {
    await using farm = await startFarm();
    await farm.startAgent();
    const id = await submitLongJob(farm);
    await untilTranscoding(farm, id);
    await kill(farm.coordinator());
    await farm.restartCoordinator();
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed" });
    expect(await attemptsOf(farm, id)).toEqual(["published"]);
    expect((await probe(join(farm.folder, "out/long_made.mp4"))).video[0]).toMatchObject({ frames: 200 });
  });

  test("of the coordinator for so long that the agent has made the file meanwhile, it is granted and taken later", async () => {
    await using farm = await startFarm();
    await farm.startAgent();
    const source = await make(join(farm.media, "short.mp4"), "-f", "lavfi", "-i", "testsrc2=size=1280x720:duration=3");
    const target = anMp4Target({ audio: undefined, video: { codec: "h264", preset: "medium" } });
    const id = await farm.submit(aChain([aFileSource(source), aTranscodeTo(join(farm.folder, "out"), [target])]));
    await until("the transcode to run", async () => (await transcodeOf(farm, id))?.status === "running");
    await kill(farm.coordinator());
    const attempts = join(farm.dataOf("one"), "attempts");
    const kept = () => readdirSync(attempts, { recursive: true, encoding: "utf8" }).map((name) => basename(name));
    await until("the transcode to be made", () => kept().includes("intent.json"), 60_000);
    await farm.restartCoordinator();
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed" });
    expect(await attemptsOf(farm, id)).toEqual(["published"]);
  });

  for (const moment of share(["intended", "granted", "linked", "published", "reported"], (each) => each === "linked")) {
    test(`of both at "${moment}" with existing_files fail, the job completes and nothing runs twice`, async () => {
      await using farm = await startFarm();
      const agent = await farm.startFatalAgent(moment);
      const source = await make(join(farm.media, "short.mp4"), "-f", "lavfi", "-i", "testsrc2=size=320x180:duration=1");
      const target = anMp4Target({ audio: undefined });
      const id = await farm.submit(aChain([aFileSource(source), aTranscodeTo(join(farm.folder, "out"), [target])]));
      await exitOf(agent.child);
      await exitOf(farm.coordinator().child);
      await farm.restartCoordinator();
      await farm.startAgent();
      expect(await farm.untilEnded(id)).toMatchObject({ status: "completed" });
      expect(await attemptsOf(farm, id)).toEqual(["published"]);
      expect(namesIn(farm)).toEqual(["short_made.mp4"]);
    });
  }
});
