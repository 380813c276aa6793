import { describe, expect, test } from "vitest";
import { withoutConflicts } from "../../../../media/elements/transcode/conflicts/conflicts.ts";
import { target } from "../../../../media/elements/transcode/schema.ts";
import { parseJob } from "../../../../media/jobs/parse-job.ts";
import { AppError } from "../../../../shared/basics/errors.ts";
import { aJob } from "../../../helpers/farm/farm.ts";

const at = "payload.elements[0].payload.targets[0]";

const aTargetJob = (target: object) =>
  aJob({ payload: { elements: [{ uid: "t", kind: "transcode", payload: { targets: [target] } }] } });

/** What is told of a relaxed target, without where it stands. */
const warnings = (target: object): string[] =>
  parseJob(aTargetJob(target)).warnings.map((warning) => warning.replace(`${at}.`, "").replace("; it is ignored", ""));

const faults = (target: object): string[] => {
  try {
    parseJob(aTargetJob({ parameter_compliance: "strict", ...target }));
  } catch (problem) {
    if (problem instanceof AppError) return problem.details.map(({ path, message }) => `${path}: ${message}`);
    throw problem;
  }
  return [];
};

test("a strict target is refused, a relaxed one warned about", () => {
  const target = { video: { codec: "h264", bitrate_mode: "cbr", bitrate_kb: 1000, max_bitrate_kb: 2000 } };
  expect(faults(target)).toEqual([`${at}.video.max_bitrate_kb: contradicts bitrate_mode cbr`]);
  expect(parseJob(aTargetJob(target)).warnings).toEqual([
    `${at}.video.max_bitrate_kb: contradicts bitrate_mode cbr; it is ignored`,
  ]);
});

test("two targets of one uid are refused, relaxed or not", () => {
  const elements = [{ uid: "t", kind: "transcode", payload: { targets: [{ uid: "a" }, {}, { uid: "a" }, {}] } }];
  expect(() => parseJob(aJob({ payload: { elements } }))).toThrow(
    'payload.elements[0].payload.targets[2].uid: "a" is used twice',
  );
});

test("a relaxed target is made without what it ignores, a strict one is left as it is", () => {
  const written = { container: { kind: "mp4", muxrate_kb: 9 }, video: { codec: "h264", crf: 20, bitrate_kb: 1000 } };
  const made = withoutConflicts(target.parse(written));
  expect([made.container?.muxrate_kb, made.video?.crf, made.video?.bitrate_kb]).toEqual([undefined, undefined, 1000]);
  const copied = withoutConflicts(target.parse({ nr_of_passes: 2, video: { codec: "copy" } }));
  expect(copied).toEqual(target.parse({ video: { codec: "copy" } }));
  const strict = target.parse({ ...written, parameter_compliance: "strict" });
  expect(withoutConflicts(strict)).toBe(strict);
});

test("what does not contradict is told of by nobody", () => {
  const video = { codec: "h264", bitrate_mode: "vbr", bitrate_kb: 1000, max_bitrate_kb: 2000, preset: "slow" };
  const container = { kind: "mpegts", muxrate_kb: 3000, pcr_pid: 100, pcr_interval_ms: 40 };
  const audio = [{ codec: "aac", bitrate_mode: "vbr", bitrate_kb: 64, pid: 101 }];
  expect(faults({ container, video: { ...video, pid: 102 }, audio })).toEqual([]);
});

test("fields of transport streams contradict other containers", () => {
  const container = { kind: "mp4", muxrate_kb: 1, transport_id: 1, use_sdt: true, pcr_pid: 1, pmt_interval_ms: 20 };
  expect(warnings({ container, video: { codec: "h264", pid: 1 }, audio: [{ codec: "aac", pid: 2 }] })).toEqual(
    [
      ...["container.muxrate_kb", "container.transport_id", "container.use_sdt", "container.pcr_pid"],
      ...["container.pmt_interval_ms", "video.pid", "audio[0].pid"],
    ].map((path) => `${path}: is for transport streams only`),
  );
});

test("what is for some containers or codecs only contradicts the others", () => {
  const target = { slow_first_pass: true, container: { kind: "mov", dvd_compatible: true } };
  expect(warnings({ ...target, video: { codec: "prores", preset: "slow", crf: 20 } })).toEqual([
    "slow_first_pass: is for h264 and h265 only",
    "container.dvd_compatible: is for mp2_program, dvd and vob only",
    "video.preset: is for h264 and h265 only",
    "video.crf: means nothing to this codec",
  ]);
});

describe("bit rates contradict each other", () => {
  test.each([
    [{ bitrate_mode: "crf", bitrate_kb: 1000 }, ["video.bitrate_kb: contradicts bitrate_mode crf"]],
    [{ crf: 20, bitrate_kb: 1000 }, ["video.crf: contradicts a bit rate"]],
    [{ bitrate_kb: 1000, max_bitrate_kb: 900 }, ["video.max_bitrate_kb: is below the bit rate that it is to limit"]],
    [{ min_gop_frames: 9, max_gop_frames: 5 }, ["video.max_gop_frames: is below min_gop_frames"]],
    [
      { use_scene_detection: true, idr_interval: { seconds: 2 } },
      ["video.use_scene_detection: contradicts an exact distance of keyframes"],
    ],
  ])("%j", (video, expected) => {
    expect(warnings({ video: { codec: "h264", ...video } })).toEqual(expected);
  });

  test("in audio too", () => {
    const audio = [
      { codec: "vorbis", bitrate_mode: "cbr", max_bitrate_kb: 9 },
      { codec: "pcm", sample_format: "pcm_s16le", sample_size: 24 },
    ];
    expect(warnings({ container: { kind: "mkv" }, audio })).toEqual([
      "audio[0].max_bitrate_kb: is for bitrate_mode vbr only",
      "audio[1].sample_size: contradicts sample_format",
    ]);
  });
});

test("a stream that is copied takes no changes", () => {
  expect(
    warnings({ nr_of_passes: 2, video: { codec: "copy", width: 640 }, audio: [{ codec: "copy", channels: 2 }] }),
  ).toEqual([
    "nr_of_passes: means nothing to a stream that is copied",
    "video.width: cannot be applied to a stream that is copied",
    "audio[0].channels: cannot be applied to a stream that is copied",
  ]);
});

test("fields of filters and timecodes that nothing reads are told of", () => {
  const filters = [
    { kind: "print_timecode", payload: { timecode_start_value: "01:00:00:00" } },
    { kind: "deinterlace", payload: { motion_compensation_quality: "high" } },
  ];
  const timecode = [{ source: "media", start_value: "01:00:00:00" }];
  expect(warnings({ video: { codec: "h264", filters }, timecode })).toEqual([
    "timecode[0].start_value: contradicts source media",
    "video.filters[0].payload.timecode_start_value: is for timecode_source start_value only",
    "video.filters[1].payload.motion_compensation_quality: is for motion_compensation only",
  ]);
});

test("a profile, level or tune that nobody knows is told with those of the track's codec", () => {
  const of = (video: object) => faults({ video });
  expect(of({ codec: "prores", profile: "aphc" })).toEqual([
    `${at}.video.profile: must be one of "apco", "apcs", "apcn", "apch", "ap4h", "ap4x", not "aphc"; did you mean "apch"?`,
  ]);
  expect(of({ codec: "mpeg2", level: "high", width: 3 })).toEqual([
    `${at}.video.width: must be at least 8, not 3`,
    `${at}.video.level: must be one of "HL", "H14", "ML", "LL", not "high"`,
  ]);
  // Without a codec, those of all.
  expect(of({ profile: "aphc" })[0]).toContain('"baseline", "main"');
});
