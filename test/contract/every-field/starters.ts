import type { Starters } from "./place-field.ts";

const beside = [{ path: "/beside" }, { path: "s3://bucket/beside" }, { url: "s3://bucket/beside/x.bin" }];
const colors = { ire_range_mode: "limited", color_primaries: "bt601", color_trc: "bt601", color_matrix: "bt601" };
const hd = { ire_range_mode: "limited", color_primaries: "bt709", color_trc: "bt709", color_matrix: "bt709" };

/** What stands beside a field so that it means something, by the end of the name of the object that both are in. */
export const starters: Starters = [
  [
    /\.trim$/,
    [
      { inpoint_sec: 2.013, outpoint_sec: 40.007 },
      {},
      { inpoint_tc: "00:00:02:00", outpoint_tc: "00:00:09:00" },
      { inpoint_asset_tc: "01:00:02:00", outpoint_asset_tc: "01:00:09:00" },
      { inpoint_frame: 50 },
      { inpoint_section: 1 },
      { inpoint: "track_begin", outpoint: "track_end" },
    ],
  ],
  [
    /\.(image_file|lut_file)$/,
    [{ url: "file:///in/table.cube" }, { url: "s3://bucket/table.cube" }, { path: "/in/table.cube" }],
  ],
  [/\.video_file$/, [{ url: "file:///in/logo.mov" }, { url: "s3://bucket/logo.mov" }, { path: "/in/logo.mov" }]],
  [
    /(font_files|support_files)\[\]$/,
    [{ url: "file:///in/font.ttf" }, { url: "s3://bucket/font.ttf" }, { path: "/in/font.ttf" }],
  ],
  [
    /asset\(asset_complex\)\.payload$/,
    [{ asset_versions: [{ asset_components: [{ name: "a.mov", location: { path: "/in" } }] }] }],
  ],
  [
    /asset\(asset_complex\)$/,
    [{}, { path: "/in" }].map((location) => ({
      payload: { asset_versions: [{ asset_components: [{ name: "a.mov", ...("path" in location && { location }) }] }] },
    })),
  ],
  [
    /asset\(asset_complex\)(\.payload)?\.location$/,
    [{ path: "/in" }, { path: "s3://bucket/in" }, { url: "s3://bucket/in" }],
  ],
  [/asset_urls\[\]$/, [{ url: "file:///in/a.mov" }, { url: "s3://bucket/a.mov" }]],
  [/\(asset_url\)\.payload$/, [{ url: "file:///in/a.mov" }, { url: "s3://bucket/a.mov" }]],
  [/asset_components\[\]$/, [{ name: "a.mov", location: { path: "/in" } }]],
  [/asset_components\[\]\.location$/, [{ path: "/in" }, { path: "s3://bucket/in" }, { url: "s3://bucket/in" }]],
  [/asset_versions\[\]$/, [{ asset_components: [{ name: "a.mov", location: { path: "/in" } }] }]],
  [/asset_versions\[\]\.location$/, [{ path: "/in" }, { path: "s3://bucket/in" }, { url: "s3://bucket/in" }]],
  [/contents\[\]$/, [{ kind: "audio" }]],
  [/scte35$/, [{ scte35_sections: [{ insertTime: 900_000, spliceInfoSection: { spliceInsert: {} } }] }]],
  [/scte35_sections\[\]$/, [{ insertTime: 900_000, spliceInfoSection: { spliceInsert: {} } }]],
  [/spliceInsert$/, [{ program: { spliceTime: { ptsTime: 990_000 } }, availsExpected: 1 }]],
  [/image_sequence$/, [{ base: "%05d.png" }]],
  [/\(docker\)\.payload\.sources\[\]$/, [{ source_reference: "f" }]],
  [/registry\.access$/, [{}, { username: "u", password: "p" }]],
  [/modifiers\[\]\(\w+\)$/, [{ target_element_uid: "f" }]],
  [/timecodes\.parts\[\]$/, [{ part_number: 1, part_total: 2, part_som: "10:00:00:00", part_duration: "00:00:10:00" }]],
  [/\(peak\)\.payload$/, [{ peak_level_db: -2 }, {}]],
  [/container\.attributes\[\]$/, [{ name: "genre", value: "drama" }]],
  [/\(rms\)\.payload$/, [{ rms_level_db: -20 }, {}]],
  [/\(print_subtitle\)\.payload\.attributes\[\]$/, [{ name: "tts:color", value: "red" }]],
  [/attributes\[\]$/, [{ name: "a", value: "b" }]],
  [/\(image_overlay\)$/, [{ payload: { image_file: { url: "file:///in/logo.png" }, start_sec: 1, duration_sec: 5 } }]],
  [
    /\(video_overlay\)\.payload$/,
    [
      { video_file: { url: "file:///in/logo.mov" }, start_sec: 1, duration_sec: 5 },
      { video_file: { url: "file:///in/logo.mov" } },
    ],
  ],
  [/\(video_overlay\)$/, [{ payload: { video_file: { url: "file:///in/logo.mov" } } }]],
  [
    /\(color_convert\)$/,
    [
      { payload: { from: colors, to: hd } },
      { payload: { from: colors, to: hd, lut_file: { url: "file:///in/a.cube" } } },
    ],
  ],
  [/\(color_convert\)\.payload$/, [{}, { from: colors, to: hd }]],
  [
    /\(color_convert\)\.payload\.lut_file$/,
    [{ url: "file:///in/a.cube" }, { url: "s3://bucket/a.cube" }, { path: "/in/a.cube" }],
  ],
  [/\(crop\)$/, [{ payload: { left: 16 } }]],
  [/\(gaussian_blur\)$/, [{ payload: { radius: 2 } }]],
  [/\(fade\)$/, [{ payload: { duration_sec: 2 } }]],
  [/\(level\)$/, [{ payload: { factor: 2 } }]],
  [/\(level\)\.payload$/, [{}]],
  [/\(mixdown\)$/, [{ payload: { channels: 6 } }]],
  [/\(mixdown\)\.payload$/, [{ channels: 6 }, {}]],
  [/\(resample\)$/, [{ payload: { sample_rate: 32_000 } }]],
  [/\(resample\)\.payload$/, [{ sample_rate: 32_000 }]],
  [/\(tempo\)$/, [{ payload: { factor: 0.9 } }]],
  [/\bvideo(\[\])?(\.filters\[\])?\(extenc\)$/, [{ payload: { extenc_filter: "hflip" } }]],
  [/\(extenc\)$/, [{ payload: { extenc_filter: "volume=2" } }]],
  [/\(print_timecode\)$/, [{ payload: {} }]],
  [
    /map\[\]$/,
    [
      { input: { track: 0 }, output: { track: 0 } },
      { input: { track: 1, channel: 0 }, output: { track: 0, channel: 0 } },
    ],
  ],
  [/map\[\]\.(in|out)put$/, [{ track: 0 }]],
  [/audio\[\]\.source\[\]$/, [{ track: 1 }, { track: 1, channel: 0 }]],
  [/(location|key_location|results_file|index_location|splicepoint_file|^\.source)$/, beside],
];
