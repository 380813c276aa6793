import { describe, expect, test } from "vitest";
import { outcomeOf } from "./outcome.ts";
import { film, worldOf } from "./world.ts";

const location = { path: "/out" };
const transcode = (target: object) => outcomeOf("transcode", { location, targets: [target] }, worldOf());
const h264 = { codec: "h264" };
const mov = { kind: "mov", enable_data_tracks: true };

type Said = "done" | "told" | "refused";

const toldOf = async (with_: object, without: object): Promise<Said | "nothing"> => {
  const [made, usual] = [await transcode(with_), await transcode(without)];
  if (made.refusal) return "refused";
  if (made.done !== usual.done) return "done";
  return made.warnings.length > usual.warnings.length ? "told" : "nothing";
};

describe("values that a transcode once ignored without a word are now", () => {
  test.each<[Said, string, object, object]>([
    ["done", "video.verify", { video: { ...h264, verify: false } }, { video: h264 }],
    ["done", "audio.verify", { audio: [{ codec: "aac", verify: false }] }, { audio: [{ codec: "aac" }] }],
    ["done", "scaler.apply_always", { video: { ...h264, scaler: { apply_always: true } } }, { video: h264 }],
    ["done", "use_cabac", { video: { ...h264, use_cabac: false } }, { video: h264 }],
    ["done", "use_loop_filter", { video: { ...h264, use_loop_filter: false } }, { video: h264 }],
    ["done", "track_name", { video: { ...h264, track_name: "Main" } }, { video: h264 }],
    ["told", "first_gop_closed", { video: { ...h264, first_gop_closed: false } }, { video: h264 }],
    ["refused", "frames", { video: { ...h264, frames: 10 } }, { video: h264 }],
    ["refused", "hrd_signaling", { video: { ...h264, hrd_signaling: "post_process" } }, { video: h264 }],
    ["told", "bitrate_mode", { audio: [{ codec: "aac", bitrate_mode: "vbr" }] }, { audio: [{ codec: "aac" }] }],
    ["told", "a second pass without a bit rate", { video: h264, nr_of_passes: 2 }, { video: h264 }],
    ["told", "a timecode without a track for it", { video: h264, timecode: [{}] }, { video: h264 }],
    [
      "done",
      "timecode[].verify",
      { container: mov, video: h264, timecode: [{ verify: false }] },
      { container: mov, video: h264, timecode: [{}] },
    ],
    [
      "done",
      "timecode[].include_if_source_has",
      { container: mov, video: h264, timecode: [{ include_if_source_has: ["audio[9]"] }] },
      { container: mov, video: h264, timecode: [{}] },
    ],
  ])("%s: %s", async (said, _field, with_, without) => {
    const file_pattern = "x.mp4";
    expect(await toldOf({ file_pattern, ...with_ }, { file_pattern, ...without })).toBe(said);
  });
});

test("sound alone, mixed of channels of several tracks, is planned", async () => {
  const source = [
    { track: 0, channel: 0 },
    { track: 1, channel: 1 },
  ];
  const { refusal } = await transcode({ file_pattern: "x.wav", audio: [{ codec: "pcm", channels: 2, source }] });
  expect(refusal).toBeUndefined();
});

test("a filter of the pipeline is named by its place", async () => {
  const filters = [{ video: [{ kind: "print_timecode", payload: { lut_file: { url: "file:///in/a.cube" } } }] }];
  const payload = { location, targets: [{ file_pattern: "x.mp4", video: h264 }], source_pipeline: { filters } };
  const { refusal } = await outcomeOf("transcode", payload, worldOf());
  expect(refusal?.message).toContain("source_pipeline.filters[0].video[0].payload.lut_file");
});

test("a manifest's own pattern names it", async () => {
  const container = { kind: "hls", manifest_file_pattern: "list.m3u8" };
  const { done } = await transcode({ file_pattern: "x.m3u8", container, video: h264 });
  expect([done.includes("list.m3u8"), done.includes('"x.m3u8"')]).toEqual([true, false]);
});

test("a PSSH box that is no base64 is refused by its field", async () => {
  const key = "000102030405060708090a0b0c0d0e0f";
  const encryption = { schema: "mpeg-cenc", drm: "widevine", key, key_id: key, widevine_pssh: "AAAAA" };
  const { refusal } = await outcomeOf("package", { location, kind: "hls", encryption }, worldOf());
  expect(refusal).toEqual({ cause: "invalid", message: expect.stringContaining("widevine_pssh") });
});

test("how an analysis reads its source may stand among its options", async () => {
  const payload = { deep_properties: { video: { levels: {} } }, options: { max_decode_errors: 3 } };
  const { done } = await outcomeOf("analyze", payload, worldOf(film));
  expect(done).toContain('"damage":{"most":3');
});
