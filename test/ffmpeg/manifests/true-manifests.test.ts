import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forms } from "../../../media/subtitles/index.ts";
import type { Asset } from "../../../shared/model/asset.ts";
import { share } from "../../helpers/long.ts";
import { manifestFaults } from "../../helpers/manifests/manifest-faults.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, packagerPath, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined && packagerPath !== undefined;
if (!hasTools)
  console.warn("Manifests are not compared with their media: there is no ffmpeg, no ffprobe or no packager");

// The node itself reads every manifest with its media, and fails where they disagree (test/helpers/manifests).
const folder = scratchFolder();
const node = mediaNode(folder.path);
const at = (...names: string[]) => join(folder.path, ...names);
afterAll(() => folder[Symbol.asyncDispose]());

const h264 = { codec: "h264", preset: "ultrafast", idr_interval: { frames: 25 }, use_scene_detection: false };
const h265 = { codec: "h265", preset: "ultrafast", idr_interval: { frames: 25 }, use_scene_detection: false };
const spoken = (language: string, said: object = {}) => ({ codec: "aac", channels: 2, language, ...said });
const choice = [
  spoken("eng", { track_name: "English", disposition: "original", layer_id: "a" }),
  spoken("fra", { track_name: "Version francaise", disposition: "dub", layer_id: "a" }),
  spoken("eng", { track_name: "Commentary", disposition: "comment", layer_id: "a" }),
];

/** Targets of one manifest: a picture, sounds, and texts. */
const offered = (kind: string, kinds: readonly string[], video: object, sounds: readonly object[], texts?: object) => {
  const shared = { container: { kind, segment_duration_sec: 1 }, manifest_uids: ["all"], existing_files: "replace" };
  const ending = kind === "fmp4" ? ".mp4" : ".ts";
  return {
    targets: [
      { ...shared, uid: "v", file_pattern: `v${ending}`, video },
      ...sounds.map((sound, nr) => ({ ...shared, uid: `a${nr}`, file_pattern: `a${nr}${ending}`, audio: [sound] })),
      ...(texts ? [{ ...shared, ...texts, subtitle: [{ language: "eng" }] }] : []),
    ],
    manifests: [{ uid: "all", kind: kinds, file_pattern: "master" }],
  };
};

const inSegments = { uid: "s", file_pattern: "s.m3u8", container: { kind: "hls_subtitle", segment_duration_sec: 1 } };
const inOneFile = { uid: "s", file_pattern: "s.vtt", container: { kind: "webvtt" } };
const both = ["hls", "dash"];
const alone = (kind: string) => ({
  targets: [{ file_pattern: "x.mpd", container: { kind, segment_duration_sec: 1 }, video: h264, audio: choice }],
});
const small = { width: 160, height: 90, idr_interval: { frames: 25 } };

type Case = {
  readonly source: string;
  readonly payload: object;
  readonly says: readonly (readonly [string, RegExp])[];
};

const mapped = /WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n/;
const ofCommentary =
  /lang="en"[^>]*>\s*<Label>Commentary<\/Label>\s*<Role [^>]*value="commentary"\/>\s*<Representation id="Commentary"/;
const dubbed = /<Role [^>]*value="dub"\/>/;

const cases: Readonly<Record<string, Case>> = {
  "transport streams beside texts in segments": {
    source: "film.mkv",
    payload: offered("segmented_ts", ["hls"], h264, [spoken("eng")], inSegments),
    says: [["s_00000.vtt", mapped]],
  },
  "transport streams beside a text in one file": {
    source: "film.mkv",
    payload: offered("segmented_ts", ["hls"], h264, [spoken("eng")], inOneFile),
    says: [["s.vtt", mapped]],
  },
  "a main sound, a dub and a commentary": {
    source: "film.mkv",
    payload: offered("fmp4", both, h264, choice, inOneFile),
    says: [
      ["master.m3u8", /NAME="Commentary",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=NO/],
      ["master.mpd", ofCommentary],
      ["master.mpd", dubbed],
    ],
  },
  "the same sounds in a DASH target": {
    source: "film.mkv",
    payload: alone("dash-mp4"),
    says: [
      ["x.mpd", ofCommentary],
      ["x.mpd", dubbed],
    ],
  },
  "the same sounds in an on-demand DASH target": {
    source: "film.mkv",
    payload: alone("dash-vod"),
    says: [["x.mpd", ofCommentary]],
  },
  PQ: {
    source: "pq.mp4",
    payload: offered("fmp4", both, h265, []),
    says: [
      ["master.m3u8", /VIDEO-RANGE=PQ/],
      ["master.mpd", /TransferCharacteristics" value="16"/],
    ],
  },
  HLG: {
    source: "hlg.mp4",
    payload: offered("fmp4", both, h265, []),
    says: [
      ["master.m3u8", /VIDEO-RANGE=HLG/],
      ["master.mpd", /TransferCharacteristics" value="18"/],
    ],
  },
  "AV1 and Opus": {
    source: "film.mkv",
    payload: offered("fmp4", both, { codec: "av1", crf: 40, ...small }, [{ ...spoken("eng"), codec: "opus" }]),
    says: [["master.m3u8", /CODECS="av01\.0\.00M\.08,Opus"/i]],
  },
  VP9: {
    source: "film.mkv",
    payload: offered("fmp4", ["dash"], { codec: "vp9", bitrate_kb: 200, ...small }, []),
    says: [["master.mpd", /codecs="vp09\.00\.10\.08/]],
  },
};

const usual = ["transport streams beside texts in segments", "a main sound, a dub and a commentary"];
const tried = share(Object.keys(cases), (name) => usual.includes(name), 3);

const packages: Readonly<Record<string, object>> = {
  "segmented transport streams with key frames and texts": { hls: { include_iframe_manifests: true } },
  "the same in SAMPLE-AES": {
    hls: { include_iframe_manifests: true },
    encryption: {
      schema: "sample-aes",
      key: "00112233445566778899aabbccddeeff",
      iv: "0102030405060708090a0b0c0d0e0f10",
    },
  },
};
const packed = share(Object.keys(packages), (_, nr) => nr === 0, 2);

describe.skipIf(!hasTools)("manifests say what their media are", { timeout: 240_000 }, () => {
  beforeAll(async () => {
    writeFileSync(at("s.srt"), "1\n00:00:00,500 --> 00:00:01,500\nOne\n\n2\n00:00:02,000 --> 00:00:02,900\nTwo\n");
    const clips = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=3.4", "-f", "lavfi", "-i", "sine=r=48000:d=3.4"];
    await make(at("film.mkv"), ...clips, "-i", at("s.srt"), ..."-c:v ffv1 -c:a pcm_s16le -c:s srt".split(" "));
    const picture =
      "-an -c:v libx265 -preset ultrafast -pix_fmt yuv420p10le -color_primaries bt2020 -colorspace bt2020nc";
    for (const [name, transfer] of [
      ["pq", "smpte2084"],
      ["hlg", "arib-std-b67"],
    ] as const) {
      const params = `log-level=error:colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`;
      const tags = ["-color_trc", transfer, "-x265-params", params];
      await make(at(`${name}.mp4`), ...clips, ...picture.split(" "), ...tags);
    }
  });
  const assets = (name: string): Promise<readonly Asset[]> =>
    node.assets({ kind: "asset_url", payload: { storage_provider: "file", url: at(name) } });

  test.each(tried)("of %s", async (name) => {
    const { source, payload, says } = cases[name] as Case;
    const place = at(name.replaceAll(" ", "_"));
    await node.made("transcode", { location: { path: place }, ...payload }, await assets(source));
    for (const [file, words] of says) expect(readFileSync(join(place, file), "utf8")).toMatch(words);
  });

  test.each(packed)("of a package of %s", async (name) => {
    const place = at(name.replaceAll(" ", "_"));
    const streams = "-c:v libx264 -preset ultrafast -g 25 -sc_threshold 0 -pix_fmt yuv420p -c:a aac -sn".split(" ");
    await make(at("mid.mp4"), "-i", at("film.mkv"), ...streams);
    writeFileSync(at("s.vtt"), "WEBVTT\n\n00:00.500 --> 00:01.500\nOne\n");
    const shape = { kind: ["hls"], segmentation_mode: "segmented_ts", segment_duration_sec: 1 };
    const payload = { location: { path: place }, file_pattern: "master", ...shape, ...packages[name] };
    const inputs = [...(await assets("mid.mp4")), { version: "s", files: [{ uri: `file://${at("s.vtt")}` }] }];
    await node.made("package", payload, inputs);
    expect(readFileSync(join(place, "s.vtt"), "utf8")).toContain("MPEGTS:900000");
  });

  test("of pictures that hold captions, in manifests of a transcode, of a target and of a package", async () => {
    writeFileSync(at("c.scc"), forms.scc.print([{ from: 0, to: 3000, lines: [[{ text: "Hello" }]] }], {}));
    const contents = [{ kind: "closed_caption", payload: { format: "scc" } }];
    const part = (name: string) => ({ kind: "name", name, location: { path: folder.path } });
    const components = [part("film.mkv"), { ...part("c.scc"), contents }];
    const inputs = await node.assets({
      ...{ kind: "asset_complex", payload: { asset_versions: [{ asset_components: components }] } },
    });
    const video = { ...h264, closed_captions: { enable_cea608: true } };
    const place = at("captions");
    await node.made("transcode", { location: { path: place }, ...offered("fmp4", both, video, []) }, inputs);
    const target = { file_pattern: "x.mpd", container: { kind: "dash-mp4", segment_duration_sec: 1 }, video };
    await node.made("transcode", { location: { path: at("captions_dash") }, targets: [target] }, inputs);
    const packed = { location: { path: at("captions_packed") }, file_pattern: "master", kind: both };
    await node.made("package", { ...packed, segment_duration_sec: 1 }, await assets("captions/v.mp4"));
    for (const [dir, name] of [
      ["captions", "master"],
      ["captions_packed", "master"],
    ] as const)
      expect.soft(readFileSync(at(dir, `${name}.m3u8`), "utf8")).toMatch(/CLOSED-CAPTIONS="captions"/);
    for (const name of ["captions/master.mpd", "captions_dash/x.mpd", "captions_packed/master.mpd"])
      expect.soft(readFileSync(at(name), "utf8"), name).toMatch(/cea-608:2015" value="CC1"/);
  });

  /** What each change makes the reader say, so that its silence means something. */
  const lies: readonly (readonly [file: string, from: RegExp, to: string, said: RegExp])[] = [
    ["master.m3u8", /,BANDWIDTH=\d+|:BANDWIDTH=\d+/g, ":BANDWIDTH=9000", /BANDWIDTH says 9000/],
    ["master.m3u8", /avc1\.[0-9a-f]{6}/, "avc1.42c01e", /CODECS says avc1.42c01e/],
    ["master.m3u8", /RESOLUTION=\d+x\d+/, "RESOLUTION=640x360", /RESOLUTION 640x360/],
    ["master.m3u8", /LANGUAGE="en"/g, 'LANGUAGE="eng"', /no language tag/],
    ["master.m3u8", /AUTOSELECT=NO/g, "AUTOSELECT=YES", /cannot tell apart/],
    ["v.m3u8", /#EXTINF:[\d.]+/, "#EXTINF:10.6", /EXTINF says 10.6|above EXT-X-TARGETDURATION/],
    ["v.m3u8", /#EXT-X-TARGETDURATION:1/, "#EXT-X-TARGETDURATION:7", /target durations differ/],
    ["v.m3u8", /BYTERANGE:(\d+)@/, "BYTERANGE:99$1@", /ends behind the end/],
    ["master.mpd", / subsegmentStartsWithSAP="1"/, "", /no subsegmentAlignment/],
    ["master.mpd", /indexRange="\d+/, 'indexRange="9', /names no sidx/],
    ["master.mpd", /bandwidth="\d+"/, 'bandwidth="900"', /needs \d+ bit/],
    ["master.mpd", /<Label>.*<\/Label>|<Role [^>]*>/g, "", /cannot tell these sets apart/],
    ["master.mpd", /id="Commentary"/, 'id="English"', /share an id/],
  ];

  test("and the reader that says so finds what is wrong", () => {
    const place = at("a_main_sound,_a_dub_and_a_commentary");
    for (const [file, from, to, said] of lies) {
      const path = join(place, file);
      const text = readFileSync(path, "utf8");
      writeFileSync(path, text.replace(from, to));
      const faults = manifestFaults(join(place, file.endsWith(".mpd") ? file : "master.m3u8")).join("\n");
      writeFileSync(path, text);
      expect.soft(faults, `${file}: ${from}`).toMatch(said);
    }
    expect(manifestFaults(join(place, "master.m3u8"))).toEqual([]);
  });
});
