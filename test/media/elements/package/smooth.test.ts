import { describe, expect, test } from "vitest";
import { elementOf } from "../../../../media/elements/index.ts";
import { ratio } from "../../../../shared/basics/rational.ts";
import type { Asset, MediaFacts } from "../../../../shared/model/asset.ts";

const element = elementOf("package");
if (!element) throw new Error("there is no package");

const picture = (codec: string): MediaFacts => ({
  ...{ format: "mp4", size: 1, duration: ratio(5), others: [], audio: [] },
  video: [{ index: 0, codec, timeBase: ratio(1, 25), width: 320, height: 180, frameRate: ratio(25) }],
});
const sound: MediaFacts = {
  ...{ format: "mp4", size: 1, duration: ratio(5), others: [], video: [] },
  audio: [{ index: 0, codec: "aac", timeBase: ratio(1, 48_000), channels: 2, sampleRate: 48_000 }],
};
const film: readonly Asset[] = [
  { version: "high", files: [{ uri: "file:///in/high.mp4", facts: picture("h264") }] },
  { version: "eng", files: [{ uri: "file:///in/eng.mp4", facts: sound }], layer: { audio: [{ language: "eng" }] } },
];
const text: Asset = { version: "de", files: [{ uri: "file:///in/de.vtt" }] };

const compiled = (payload: object, inputs: readonly Asset[] = film) => {
  const context = {
    ...{ uid: "p", job: { id: 7, name: "Film" }, inputs, factsOf: () => undefined },
    payload: element.payload.parse({ location: { path: "/out" }, file_pattern: "film", kind: "smooth", ...payload }),
  };
  const plan = element.plan(context);
  if (!("tasks" in plan) || !plan.tasks[0]) throw new Error("nothing was planned");
  return { ...element.compile(plan.tasks[0], context), requires: plan.tasks[0].requires };
};

describe("a package of Smooth Streaming", () => {
  test("is a file of fragments for each picture and sound, and a manifest each for server and players", () => {
    const { steps, outputs, requires } = compiled({ segment_duration_sec: 2 });
    const [high, eng, describing] = steps;
    expect(high).toMatchObject({ do: "ffmpeg", id: "smooth_high" });
    expect(high?.do === "ffmpeg" && high.argv.slice(-13)).toEqual([
      ...["-map", "0:0", "-c", "copy", "-avoid_negative_ts", "disabled"],
      ...["-movflags", "+frag_keyframe+negative_cts_offsets", "-min_frag_duration", "1990000"],
      ...["-f", "ismv", "high.ismv"],
    ]);
    expect(eng?.do === "ffmpeg" && eng.argv.slice(-7)).toEqual([
      ...["-bsf:a", "noise=drop='lt(pts,0)'", "-frag_duration", "2000000", "-f", "ismv", "eng.isma"],
    ]);
    expect(describing).toEqual({
      ...{ do: "describe_smooth", id: "smooth", server: "smooth.ism", client: "smooth.ismc", clientUrl: "film.ismc" },
      tracks: [
        { file: "high.ismv", url: "high.ismv", kind: "video", width: 320, height: 180 },
        { file: "eng.isma", url: "eng.isma", kind: "audio", language: "eng", sampleRate: 48_000, channels: 2 },
      ],
    });
    expect(Object.values(outputs).map(({ folder, name }) => `${folder}/${name}`)).toEqual([
      ...["file:///out/high.ismv", "file:///out/eng.isma", "file:///out/film.ismc", "file:///out/film.ism"],
    ]);
    expect(requires).toEqual(["ffmpeg", "muxer:ismv"]);
  });

  test("lies beside HLS of the same element, and its manifests where the payload says", () => {
    const smooth = { location: { path: "/origin" }, file_pattern: "{source_basename}.ism" };
    const { steps, outputs } = compiled({ kind: ["hls", "smooth"], smooth });
    expect(steps.map(({ id }) => id)).toEqual(["package", "smooth_high", "smooth_eng", "smooth", "place"]);
    const describing = steps[3];
    expect(describing?.do === "describe_smooth" && describing.tracks.map(({ url }) => url)).toEqual([
      ...["../out/high.ismv", "../out/eng.isma"],
    ]);
    expect(Object.keys(outputs)).toContain("hls");
    expect([outputs.smooth, outputs.smooth_client].map((each) => `${each?.folder}/${each?.name}`)).toEqual([
      ...["file:///origin/high.ism", "file:///origin/high.ismc"],
    ]);
  });

  test("needs no other location than its own", () => {
    const { outputs } = compiled({ location: undefined, smooth: { location: { path: "/origin" } } });
    expect(new Set(Object.values(outputs).map(({ folder }) => folder))).toEqual(new Set(["file:///origin"]));
  });

  test("says that it leaves subtitles out", () => {
    expect(compiled({}, [...film, text]).notes).toEqual([
      "p.payload: Smooth Streaming has no WebVTT, so its manifests name no subtitles",
    ]);
  });

  test.each<[string, object, string]>([
    ["segmentation_mode", { segmentation_mode: "fmp4" }, "Smooth Streaming has one form of files"],
    ["force_original_media", { force_original_media: true }, "Smooth Streaming has files of its own"],
    ["media_url_prefix", { media_url_prefix: "https://x/" }, "servers find the files by their names"],
    ["media_url_template", { media_url_template: "{media_file}" }, "servers find the files by their names"],
    ["media_file_extensions", { media_file_extensions: { video: "mp4" } }, "the files are .ismv and .isma"],
    ["title", { title: "Film" }, "Smooth Streaming has no place for it"],
    ["author", { author: "Studio" }, "Smooth Streaming has no place for it"],
    ["copyright", { copyright: "Studio" }, "Smooth Streaming has no place for it"],
    ["info_url", { info_url: "https://x/" }, "Smooth Streaming has no place for it"],
    ["dash", { dash: {} }, "no DASH is made"],
    ["hls", { hls: {} }, "no HLS is made"],
  ])("alone says that %s changes nothing", (field, payload, why) => {
    expect(compiled(payload).notes).toEqual([`p.payload.${field} has no effect: ${why}`]);
  });

  test.each<[string, object, readonly Asset[]]>([
    [
      "p: Smooth Streaming of hevc is not implemented (uhd): make H.264 and AAC for it",
      {},
      [{ version: "uhd", files: [{ uri: "file:///in/uhd.mp4", facts: picture("hevc") }] }],
    ],
    ["p: Smooth Streaming needs a picture or sound, and only texts came in", {}, [text]],
    [
      'p.payload.encryption is not implemented for kind "smooth": make it in a package of its own without encryption',
      { encryption: { schema: "mpeg-cenc", key: "0".repeat(32), key_id: "1".repeat(32), drm: ["playready"] } },
      film,
    ],
    [
      "p.payload.media_location cannot be reached from smooth.location: they must be on one storage",
      { media_location: { path: "s3://media" } },
      film,
    ],
  ])("is refused in words: %s", (words, payload, inputs) => {
    expect(() => compiled(payload, inputs)).toThrow(words);
  });
});
