import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { aChain, aFileSource, anMp4Target, aTranscodeTo } from "../../helpers/farm/job-builders.ts";
import { ffmpegPath, make, probe } from "../../helpers/media/media-tools.ts";
import { type FarmProcesses, kill, startFarm, until } from "../../helpers/processes/farm-processes.ts";

/** Twelve seconds, which are three sections and a rest that goes with the last one. */
const makeSource = (folder: string) =>
  make(
    join(folder, "long.mp4"),
    ...["-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=12"],
    ...["-f", "lavfi", "-i", "sine=duration=12", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"],
  );

const target = anMp4Target({
  video: { codec: "h264", width: 640, height: 360, preset: "slow", bitrate_kb: 1000 },
  audio: [{ codec: "aac", channels: 1 }],
});

/** A job whose script asks for sections of three seconds. */
const submit = async (farm: FarmProcesses) => {
  const modifier = { kind: "transcode_segmented_rendering", target_element_uid: "transcode", duration_sec: 3 };
  const script = { uid: "cut", kind: "script", payload: { kind: "job_modifier", payload: { modifiers: [modifier] } } };
  const source = aFileSource(await makeSource(farm.media));
  return farm.submit(aChain([source, script, aTranscodeTo(join(farm.folder, "out"), [target])]));
};

const tasksOf = async (farm: FarmProcesses, id: string) =>
  (await farm.client.listTasks({ job_id: id, fields: ["id", "kind", "name", "status", "progress"] })).items;
const sectionsOf = async (farm: FarmProcesses, id: string) =>
  (await tasksOf(farm, id)).filter(({ name }) => /#\d{3}$/.test(String(name)));

const namesIn = (farm: FarmProcesses) => readdirSync(join(farm.folder, "out"));

describe.skipIf(ffmpegPath === undefined)("a transcode in sections (skipped where there is no ffmpeg)", () => {
  test("is made by several nodes, one of which dies, and leaves one whole file", async () => {
    await using farm = await startFarm({ timing: { lostMs: 3_000, lateMs: 2_000 } });
    const first = await farm.startAgent("one");
    await farm.startAgent("two");
    const id = await submit(farm);
    await until("two sections to be under way", async () => {
      const running = (await sectionsOf(farm, id)).filter(({ status }) => status === "running");
      return running.length === 2;
    });
    await kill(first);
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed", progress: 100 });
    // What the dead node had begun is hidden, and goes when that node starts again.
    expect(namesIn(farm).filter((name) => !name.startsWith("."))).toEqual(["long_made.mp4"]);
    const made = await probe(join(farm.folder, "out/long_made.mp4"));
    expect(made.video[0]).toMatchObject({ codec: "h264", frames: 300 });
    expect(made.audio).toHaveLength(1);
    const { tasks } = z
      .object({ tasks: z.array(z.looseObject({ kind: z.string(), uid: z.string() })) })
      .parse(await farm.client.getResult({ job_id: id }));
    expect(tasks.map(({ kind, uid }) => `${kind} ${uid}`)).toEqual([
      "Source source",
      ...["Transcode transcode_seg#000", "Transcode transcode_seg#001", "Transcode transcode_seg#002"],
      "Transcode transcode_seg#003",
      "Combine Segments transcode_combiner_0",
    ]);
  });

  test("leaves the sections of a stopped job for a retry, and removes them with the job", async () => {
    await using farm = await startFarm();
    await farm.startAgent();
    const id = await submit(farm);
    await until("a section to be made", async () =>
      (await sectionsOf(farm, id)).some(({ status }) => status === "completed"),
    );
    await farm.client.stopJob({ job_id: id });
    expect(await farm.untilEnded(id)).toMatchObject({ status: "failed", substatus: "stopped" });
    const made = (await sectionsOf(farm, id)).filter(({ status }) => status === "completed").map(({ name }) => name);
    await until("only whole sections to be left", () => namesIn(farm).length === made.length);
    expect(namesIn(farm).every((name) => /^long_made\.mp4__hyseg_\d{3}_of_004_\d+_target_0$/.test(name))).toBe(true);
    await farm.client.deleteJob({ job_id: id });
    await until("the sections to be removed", () => namesIn(farm).length === 0);
  });
});
