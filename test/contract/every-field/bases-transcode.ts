import type { Base } from "./bases.ts";
import type { World } from "./outcome.ts";
import { film, filmWith, worldOf } from "./world.ts";

const target = (at: RegExp | undefined, fields: object, more: object = {}, world: World = worldOf()): Base => ({
  ...(at && { at }),
  payload: {
    ...(/^location/.test(at?.source ?? "") ? {} : { location: { path: "/out" } }),
    targets: [fields],
    ...more,
  },
  world,
});

const h264 = { codec: "h264" };
const mp4 = { kind: "mp4" };
const srt = [{ uri: "file:///in/film.srt", kind: "subtitle" as const, language: "eng" }];
const scc = [{ uri: "file:///in/film.scc", kind: "closed_caption" as const, format: "scc" }];
const interlaced = filmWith({ fieldOrder: "tt" });
const inTarget = (end: string) => new RegExp(`^targets\\[\\]\\.(${end})`);

const pipelined = (at: RegExp, source_pipeline: object, world: World = worldOf()): Base =>
  target(
    at,
    { container: mp4, video: h264, audio: [{ codec: "aac" }, { codec: "aac" }, { codec: "aac" }] },
    { source_pipeline },
    world,
  );

/** An analysis that heard how loud the source is. */
const heard: World = {
  ...worldOf(),
  analyses: [
    {
      uid: "a",
      kind: "analyze",
      results: {
        a: {
          kind: "analysis",
          value: {
            deep_properties: {
              audio: [0, 1, 2].map((at) => ({
                ebur128: {
                  integrated_lufs: -20 - at,
                  loudness_lra_lufs: 5,
                  true_peak_dbfs: -3 - at,
                  threshold_lufs: -30,
                },
                levels: { peak_level_db: -3 - at, rms_level_db: -20 - at },
              })),
            },
          },
        },
      },
    },
  ],
};
const halves = {
  sections: [
    { uid: "a", parts: [{ file: 0 }] },
    { uid: "b", parts: [{ file: 0 }] },
  ],
};

/** A line for each context in which fields of a transcode are read; the first one serves most. */
export const transcodes: readonly Base[] = [
  target(
    /^manifests/,
    { file_pattern: "x.mp4", container: { kind: "fmp4" }, video: h264, manifest_uids: ["m"] },
    { manifests: [{ uid: "m", kind: "hls" }] },
  ),
  target(/vendor_digital_plus|vendor_digital\b|dialnorm/, {
    container: { kind: "mp4" },
    audio: [{ codec: "vendor_digital_plus", channels: 6, source: [{ track: 1 }] }],
  }),
  target(/vendor_digital\b|dialnorm/, {
    container: { kind: "mp4" },
    audio: [{ codec: "vendor_digital", channels: 6, source: [{ track: 1 }] }],
  }),
  target(/access/, { container: mp4, video: h264, audio: [{ codec: "aac" }] }),
  target(/repeat_count/, { container: mp4, video: h264 }, {}, worldOf(film)),
  target(
    /normalize.*(source|analyzer_track_index)$/,
    { container: { kind: "mov" }, audio: [{ codec: "pcm" }] },
    {},
    heard,
  ),
  target(/audio\[\]\.filters/, {
    container: { kind: "mov" },
    audio: [{ codec: "pcm", sample_rate: 44_100, channels: 1 }],
  }),
  pipelined(/^source_pipeline\.filters.*(source|analyzer_track_index)$/, { filters: [{}] }, heard),
  pipelined(
    /^source_pipeline\.filters\[\]\.video.*position/,
    {
      filters: [
        {
          video: [
            { kind: "extenc", payload: { extenc_filter: "hflip" } },
            { kind: "crop", payload: { left: 8 } },
          ],
        },
      ],
    },
    worldOf(film, { sidecars: srt }),
  ),
  pipelined(/^source_pipeline\.filters\[\]\.audio.*position/, {
    filters: [
      {
        audio: [
          { kind: "extenc", payload: { extenc_filter: "volume=2" } },
          { kind: "level", payload: { factor: 2 } },
          { kind: "fade", payload: { duration_sec: 2 } },
        ],
      },
    ],
  }),
  pipelined(/^source_pipeline\.filters\[\]\.audio.*position/, {
    filters: [
      {
        audio: [
          { kind: "level", payload: { factor: 2 } },
          { kind: "extenc", payload: { extenc_filter: "volume=2" } },
        ],
      },
    ],
  }),
  pipelined(/^source_pipeline\.multi.*position/, {
    multi_track_audio_processing: [
      {
        source: [{ track: 0 }, { track: 2 }],
        filters: [
          { kind: "level", payload: { factor: 2 } },
          { kind: "extenc", payload: { extenc_filter: "volume=2" } },
        ],
      },
    ],
  }),
  pipelined(/^source_pipeline\.multi.*position/, {
    multi_track_audio_processing: [
      {
        source: [{ track: 0 }, { track: 2 }],
        filters: [
          { kind: "extenc", payload: { extenc_filter: "volume=2" } },
          { kind: "level", payload: { factor: 2 } },
        ],
      },
    ],
  }),
  pipelined(
    /^source_pipeline\.multi.*(source|analyzer_track_index)$/,
    { multi_track_audio_processing: [{ source: [{ track: 0 }, { track: 2 }] }] },
    heard,
  ),
  pipelined(/^source_pipeline\.multi/, { multi_track_audio_processing: [{ source: [{ track: 0 }, { track: 2 }] }] }),
  pipelined(
    /^source_pipeline\.filters\[\]\.selector/,
    { filters: [{ video: [{ kind: "crop", payload: { left: 8 } }] }] },
    worldOf(film, halves),
  ),
  pipelined(
    /^source_pipeline.*motion_compensation/,
    { filters: [{ video: [{ kind: "deinterlace", payload: { motion_compensation: true } }] }] },
    worldOf(interlaced),
  ),
  pipelined(/^source_pipeline.*print_timecode/, {
    filters: [
      {
        video: [
          { kind: "print_timecode", payload: { timecode_source: "start_value", timecode_start_value: "01:00:00:00" } },
        ],
      },
    ],
  }),
  pipelined(/^source_pipeline.*no_seek/, { trim: { inpoint_sec: 20 } }),
  pipelined(/^source_pipeline\.contents/, {
    contents: [{ kind: "audio", mode: "optional_map", map: [{ input: { track: 9 }, output: { track: 0 } }] }],
  }),
  target(/^source_pipeline\.scaler/, { container: mp4, video: { ...h264, width: 3840 } }),
  target(/\.hdr10/, {
    container: mp4,
    video: {
      ...{ codec: "h265", color_primaries: "bt2020", color_trc: "st2084", color_matrix: "bt2020nc" },
      hdr10: { source: "config", max_cll: 700 },
    },
  }),
  target(/auto_speed_change/, { container: mp4, video: { ...h264, frame_rate: 24 }, audio: [{ codec: "aac" }] }),
  target(/parameter_compliance/, { container: mp4, video: h264, nr_of_passes: 2 }),
  // Ahead of AAC, which has no choice.
  target(/audio\[\]\.bitrate_mode/, { container: { kind: "mkv" }, audio: [{ codec: "opus", bitrate_kb: 128 }] }),
  target(/scte35/, { container: { kind: "mpegts" }, video: h264 }),
  target(/dvd_compatible/, {
    container: { kind: "mp2_program" },
    video: { codec: "mpeg2" },
    audio: [{ codec: "mp2" }],
  }),
  target(/no_negative_cts/, { container: { ...mp4, movflags: "negative_cts_offsets" }, video: h264 }),
  target(
    /default_language/,
    { container: mp4, audio: [{ codec: "aac" }] },
    {},
    worldOf({ ...film, audio: film.audio.map(({ language: _none, ...each }) => each) }),
  ),
  target(
    /subtitle\[\]\.source_map/,
    { container: { kind: "mkv" }, video: h264, subtitle: [{}] },
    {},
    worldOf({ ...film, others: [] }),
  ),
  target(/^targets\[\]\.timecode/, {
    container: { kind: "mov", enable_data_tracks: true },
    video: { codec: "prores", frame_rate: "30000/1001" },
    timecode: [{ start_value: "01:00:00:21", timecode_frame_rate: "25" }],
  }),
  target(/^targets\[\]\.timecode/, {
    container: { kind: "mov", enable_data_tracks: true },
    video: { codec: "prores", frame_rate: "30000/1001" },
    timecode: [{ source: "start_value", start_value: "01:00:00;02" }],
  }),
  target(
    /filters\[deinterlace\]/,
    { container: mp4, video: { ...h264, filters: [{ kind: "deinterlace", payload: { motion_compensation: true } }] } },
    {},
    worldOf(interlaced),
  ),
  target(
    /print_subtitle.*is_optional/,
    { container: mp4, video: { ...h264, width: 640 } },
    {},
    worldOf(filmWith({}, { others: [] })),
  ),
  target(/\.(?:main|sub)level$/, { container: { kind: "mxf" }, video: { codec: "jpeg2000", profile: "imf_4k" } }),
  // Pictures of film in the fields of another rate.
  target(/smart_temporal/, {
    container: { kind: "mxf" },
    video: { codec: "mpeg2", frame_rate: "30000/1001", interlace_mode: "tff" },
  }),
  target(/print_subtitle/, { container: mp4, video: { ...h264, width: 640 } }, {}, worldOf(film, { sidecars: srt })),
  target(
    inTarget("subtitle"),
    { container: { kind: "mkv" }, video: h264, subtitle: [{}] },
    {},
    worldOf(film, { sidecars: srt }),
  ),
  target(inTarget("subtitle"), { container: { kind: "scc" }, subtitle: [{}] }, {}, worldOf(film, { sidecars: srt })),
  target(
    inTarget("subtitle"),
    { container: { kind: "mpegts" }, video: h264, subtitle: [{}] },
    {},
    worldOf(film, { sidecars: srt }),
  ),
  target(inTarget("timecode"), {
    container: { kind: "mov", enable_data_tracks: true },
    video: { codec: "prores", frame_rate: "30000/1001" },
    timecode: [{}],
  }),
  target(inTarget("timecode"), {
    container: { kind: "mov", enable_data_tracks: true },
    video: { codec: "prores" },
    timecode: [{ source: "start_value", start_value: "01:00:00;02" }],
  }),
  target(/print_timecode/, {
    container: mp4,
    video: {
      ...h264,
      filters: [
        { kind: "print_timecode", payload: { timecode_source: "start_value", timecode_start_value: "01:00:00:00" } },
      ],
    },
  }),
  target(/print_timecode/, {
    container: mp4,
    video: {
      ...h264,
      filters: [
        { kind: "print_timecode", payload: { timecode_kind: "media_time", timecode_start_value: "01:00:00:00" } },
      ],
    },
  }),
  target(/closed_captions/, { container: { kind: "mov" }, video: h264 }, {}, worldOf(film, { sidecars: scc })),
  target(undefined, { container: mp4, video: h264, audio: [{ codec: "aac" }] }),
  target(inTarget("video|nr_of|slow"), {
    container: mp4,
    video: { ...h264, bitrate_mode: "vbr", bitrate_kb: 3000, max_bitrate_kb: 4000, vbv_buffer_size_kb: 4000 },
    nr_of_passes: 2,
  }),
  target(inTarget("video"), { container: mp4, video: { ...h264, width: 720, height: 720 } }),
  target(inTarget("video"), { container: mp4, video: { ...h264, width: 640 } }),
  target(inTarget("video"), { container: { kind: "mov" }, video: { ...h264, width: 720, height: 576 } }),
  target(inTarget("video"), { container: mp4, video: { codec: "h265" } }),
  target(inTarget("video"), { container: { kind: "mpegts" }, video: { codec: "mpeg2" } }),
  target(inTarget("video"), { container: { kind: "avi" }, video: { codec: "mpeg4" } }),
  target(inTarget("video"), { container: { kind: "webm" }, video: { codec: "vp9" } }),
  target(inTarget("video"), {
    file_pattern: "x_%05d.jpg",
    container: { kind: "jpg" },
    video: { codec: "jpeg", frame_rate: 1, image_sequence: { total_number: 3 } },
  }),
  target(inTarget("video"), {
    file_pattern: "x.jpg",
    container: { kind: "jpg" },
    video: { codec: "jpeg", image_sequence: { total_number: 1 } },
  }),
  target(inTarget("video"), {
    container: mp4,
    video: { ...h264, ar_auto_crop: "distorted", filters: [{ kind: "crop", payload: { left: 100 } }] },
  }),
  target(inTarget("video"), { container: { kind: "mov" }, video: { codec: "copy" } }),
  target(inTarget("audio"), {
    container: { kind: "mov" },
    audio: [{ codec: "pcm", channel_designators: ["left", "right"] }],
  }),
  target(inTarget("audio"), { container: { kind: "wav" }, audio: [{ codec: "pcm" }] }),
  target(inTarget("audio"), { container: { kind: "mpegts" }, audio: [{ codec: "mp2" }] }),
  target(inTarget("audio"), {
    container: { kind: "mkv" },
    audio: [{ codec: "vorbis", bitrate_mode: "vbr", bitrate_kb: 128 }],
  }),
  target(inTarget("audio"), {
    container: { kind: "mkv" },
    audio: [{ codec: "opus", bitrate_mode: "vbr", bitrate_kb: 128 }],
  }),
  target(inTarget("audio"), { container: { kind: "mp4" }, audio: [{ codec: "ac3" }] }),
  target(inTarget("audio"), {
    container: { kind: "mp4" },
    audio: [{ codec: "eac3", channels: 6, source: [{ track: 1 }] }],
  }),
  target(inTarget("audio"), {
    container: { kind: "mp4" },
    audio: [{ codec: "vendor_digital_plus", channels: 6, source: [{ track: 1 }] }],
  }),
  target(inTarget("audio"), {
    container: { kind: "mp4" },
    audio: [{ codec: "vendor_digital", channels: 6, source: [{ track: 1 }] }],
  }),
  target(inTarget("container"), {
    container: { kind: "mpegts" },
    video: { ...h264, pid: 101 },
    audio: [{ codec: "mp2" }],
  }),
  target(inTarget("container"), {
    file_pattern: "x.m3u8",
    container: { kind: "hls" },
    video: h264,
    audio: [{ codec: "aac" }],
  }),
  target(
    inTarget("container"),
    { file_pattern: "x", container: { kind: "hls_subtitle" }, subtitle: [{}] },
    {},
    worldOf(film, { sidecars: srt }),
  ),
  target(inTarget("container"), { container: { kind: "segmented_ts" }, video: h264, audio: [{ codec: "aac" }] }),
  target(inTarget("container"), { container: { kind: "mp4" }, video: { codec: "h265" } }),
  target(inTarget("container"), { container: { kind: "dvd" }, video: { codec: "mpeg2" }, audio: [{ codec: "mp2" }] }),
  target(inTarget("container"), { file_pattern: "x.mp4", video: h264 }),
  target(inTarget("container"), {
    container: { ...mp4, filters: [{ kind: "speed_change", payload: { factor: 1.01 } }] },
    video: h264,
    audio: [{ codec: "aac" }],
  }),
  target(
    inTarget("compliance"),
    { container: { kind: "mxf" }, video: { codec: "mpeg2" }, audio: [{ codec: "pcm" }] },
    {},
    worldOf(interlaced),
  ),
  target(
    inTarget("compliance"),
    {
      container: { kind: "mxf" },
      video: { codec: "mpeg2", bitrate_kb: 9000 },
      audio: [{ codec: "pcm" }],
      compliance: "xdcam_hd_422",
    },
    {},
    worldOf(interlaced),
  ),
  target(inTarget("parameter_compliance"), {
    container: mp4,
    video: { ...h264, bitrate_mode: "cbr", bitrate_kb: 1000, max_bitrate_kb: 2000 },
  }),
  target(inTarget("extenc_args_compliance"), { container: mp4, video: h264, extenc_args: "-c:v libx264 -b:v 2M" }),
  target(inTarget("file_pattern"), { container: mp4, video: h264 }),
  target(/^location/, { container: mp4, video: h264 }),
  target(
    /^source_pipeline\.contents/,
    { container: mp4, video: h264, audio: [{ codec: "aac" }] },
    { source_pipeline: { contents: [{ kind: "audio", map: [{ input: { track: 1 }, output: { track: 0 } }] }] } },
  ),
  target(/^source_pipeline\.(scaler|chroma)/, {
    container: mp4,
    video: { ...h264, width: 640, chroma_format: "yuv420p" },
  }),
  target(
    /^source_pipeline\.manifest/,
    { container: mp4, video: h264 },
    {},
    worldOf(film, { manifest: { isMaster: true, isComplex: true } }),
  ),
  target(/^source_pipeline/, {
    container: mp4,
    video: h264,
    audio: [{ codec: "aac" }, { codec: "aac" }, { codec: "aac" }, { codec: "aac" }, { codec: "aac" }],
  }),
];
