import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource, anMp4Target, aTranscodeTo } from "../../helpers/farm/job-builders.ts";
import { strictResult } from "../../helpers/farm/strict-result.ts";
import { ffmpegPath, make } from "../../helpers/media/media-tools.ts";
import { startFarm } from "../../helpers/processes/farm-processes.ts";

const lavfi = (graph: string) => ["-f", "lavfi", "-i", graph];

describe.skipIf(ffmpegPath === undefined)("a real job's result (skipped where there is no ffmpeg)", () => {
  test("names the files that lie there, with their sizes, their media and what made them", async () => {
    await using farm = await startFarm();
    await farm.startAgent();
    const film = await make(
      join(farm.media, "film.mp4"),
      ...[...lavfi("testsrc2=size=320x240:rate=25:duration=2"), ...lavfi("sine=duration=2:sample_rate=48000")],
      ...["-c:a", "aac", "-shortest"],
    );
    const out = join(farm.folder, "out");
    const transcode = aTranscodeTo(out, [anMp4Target({ uid: "small", file_pattern: "small.mp4" })]);
    const id = await farm.submit(aChain([aFileSource(film), transcode, aCopyTo(join(out, "copies"))]));
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed", progress: 100 });

    const result = strictResult.parse(await farm.client.getResult({ job_id: id }));
    expect(result.errors).toEqual([]);
    expect(result.job).toMatchObject({
      id: Number(id),
      status: "completed",
      render_status: "completed",
      progress: 100,
    });
    const files = result.tasks.flatMap(({ kind, documents }) =>
      documents.flatMap(({ result_payload: { payload } }) =>
        payload.asset_versions.flatMap(({ location, asset_components }) =>
          asset_components.map(({ name, descriptor }) => [kind, `${location.path}/${name}`, descriptor.size] as const),
        ),
      ),
    );
    expect(files).toEqual([
      ["Source", film, statSync(film).size],
      ["Transcode", join(out, "small.mp4"), statSync(join(out, "small.mp4")).size],
      ["Copy", join(out, "copies/small.mp4"), statSync(join(out, "copies/small.mp4")).size],
    ]);

    const made = result.tasks.find(({ kind }) => kind === "Transcode");
    const [document] = made?.documents ?? [];
    const [version] = document?.result_payload.payload.asset_versions ?? [];
    expect(version).toMatchObject({ version_uid: "small", creator_uid: "small" });
    const [media] = version?.asset_components ?? [];
    expect(media?.media_analyze?.media_info.map(({ stream_type, codec }) => [stream_type, codec])).toEqual([
      ["ASSET", undefined],
      ["VIDEO", "h264"],
      ["AUDIO", "aac"],
    ]);
    const { history, encode_args } = document?.result_extended_payload.logs ?? {};
    expect(history?.map(({ details }) => details.task_id)).toEqual([made?.id]);
    expect(encode_args?.asset_versions.small?.ffmpeg_pass_args).toEqual([expect.stringContaining("libx264")]);
  });

  test("of a job that fails says why, and names no file", async () => {
    await using farm = await startFarm();
    await farm.startAgent();
    const id = await farm.submit(aChain([aFileSource(join(farm.media, "nowhere.mp4")), aCopyTo(farm.folder)]));
    const { error } = await farm.untilEnded(id);
    const result = strictResult.parse(await farm.client.getResult({ job_id: id }));
    expect(result.job.status).toBe("failed");
    // A machine that is too busy may lose its node for a moment, which is told as recoverable before it.
    const last = result.errors.at(-1);
    expect(last).toMatchObject({ cause: "source", recoverable_error: 0, result_define: "SYS_TSK_SOURCE_ERROR" });
    expect(error).toContain(String(last?.message));
    expect(existsSync(join(farm.folder, "nowhere.mp4"))).toBe(false);
  });
});
