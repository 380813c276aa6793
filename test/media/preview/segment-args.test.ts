import { expect, test } from "vitest";
import { planPreview } from "../../../media/preview/plan.ts";
import { segmentArgs } from "../../../media/preview/segment-args.ts";
import { countSegments, playlistOf, segmentOf, splitSegment } from "../../../media/preview/segments.ts";
import { ratio } from "../../../shared/basics/rational.ts";
import type { AudioFacts, MediaFacts, VideoFacts } from "../../../shared/model/asset.ts";

const sound: AudioFacts = {
  ...{ index: 1, codec: "pcm_s24le", timeBase: ratio(1, 48_000), start: ratio(0) },
  ...{ channels: 2, layout: "stereo", sampleRate: 48_000 },
};

const film = (video: Partial<VideoFacts> = {}, more: Partial<MediaFacts> = {}): MediaFacts => ({
  ...{ format: "mov,mp4,m4a,3gp,3g2,mj2", size: 1, start: ratio(0), duration: ratio(10), others: [], audio: [sound] },
  video: [
    {
      ...{ index: 0, codec: "prores", timeBase: ratio(1, 12_800), start: ratio(0), width: 1920, height: 1080 },
      ...{ frameRate: ratio(25), averageFrameRate: ratio(25), pixelFormat: "yuv422p10le", ...video },
    },
  ],
  ...more,
});

const command = (facts: MediaFacts, number: number, mapsTones = true) => {
  const preview = planPreview(facts);
  const segment = segmentOf(preview, number);
  if (!segment) throw new Error("no such segment");
  const args = segmentArgs({ name: "/films/a.mov", facts, preview, segment, mapsTones });
  const from = args.indexOf("-stats_period") + 2;
  return args.slice(from).filter((word) => typeof word !== "string" || !/^-?(protocol|format)_whitelist$/.test(word));
};
const graphOf = (facts: MediaFacts, number = 0, mapsTones = true) => {
  const args = command(facts, number, mapsTones);
  return String(args[args.indexOf("-filter_complex") + 1]);
};

test("the second segment of a film reads from a whole second before it, and drops what belongs to its neighbours", () => {
  const [, , ...args] = command(film(), 1);
  expect(args.map((word) => (typeof word === "string" ? word : JSON.stringify(word)))).toEqual([
    ...["-threads", "2", "-noaccurate_seek", "-ss", "1", "-itsoffset", "-2", "-i", '{"asset":"source"}'],
    "-filter_complex",
    [
      "[0:0]trim=start=-0.00025:end=5.49975,fps=fps=25:start_time=1,",
      "scale=w=1280:h=720:flags=bicubic:in_color_matrix=bt709:in_range=tv:out_color_matrix=bt709:out_range=tv,",
      "setsar=sar=1,format=pix_fmts=yuv420p,tpad=stop_mode=clone:stop=13[shown];",
      "color=c=black:s=1280x720:r=25,setsar=sar=1,format=pix_fmts=yuv420p[black];",
      "[shown][black]concat=n=2:v=1:a=0,trim=end_frame=100,settb=expr=1/25,setpts=expr=N+100[picture];",
      "[0:1]atrim=start=0:end=5.5,aresample=sample_rate=48000:async=1:first_pts=0,aformat=channel_layouts=stereo,",
      "apad,atrim=start_sample=45440:end_sample=242048,asetpts=expr=N+189440[sound]",
    ].join(""),
    ...["-map", "[picture]", "-fps_mode", "passthrough", "-c:v", "libx264", "-threads", "2"],
    ...["-preset", "veryfast", "-crf", "27", "-maxrate", "2M", "-bufsize", "2M", "-bf", "0"],
    ...["-g", "25", "-video_track_timescale", "25"],
    ...["-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"],
    ...["-map", "[sound]", "-c:a", "aac", "-b:a", "128k", "-bsf:a", "noise=drop='lt(pts,191488)+gte(pts,384000)'"],
    ...["-map_metadata", "-1", "-map_chapters", "-1", "-avoid_negative_ts", "disabled", "-use_editlist", "0"],
    ...["-movflags", "+empty_moov+default_base_moof+frag_custom+frag_discont+skip_trailer", "-f", "mp4"],
    '{"out":"segment"}',
  ]);
});

test("blocks of sound follow each other from segment to segment, and cover the whole film", () => {
  for (const rate of [ratio(25), ratio(24_000, 1001), ratio(30_000, 1001), ratio(50), ratio(7)]) {
    const preview = planPreview(film({ frameRate: rate, averageFrameRate: rate }, { duration: ratio(61) }));
    const all = Array.from({ length: countSegments(preview) }, (_, number) => segmentOf(preview, number));
    expect(all.map((each) => each?.blocks.first)).toEqual([0, ...all.slice(0, -1).map((each) => each?.blocks.end)]);
    expect(all.map((each) => each?.first)).toEqual(all.map((_, number) => number * (all[0]?.steps ?? 0)));
    expect(all.reduce((sum, each) => sum + (each?.steps ?? 0), 0)).toBe(preview.steps);
    expect((all.at(-1)?.blocks.end ?? 0) * 1024).toBeGreaterThanOrEqual((preview.steps * 48_000 * rate.den) / rate.num);
  }
});

test("fields become frames, HDR fits a standard screen where the node can do that, unnamed channels are not mixed", () => {
  expect(graphOf(film({ fieldOrder: "tt" }))).toContain("bwdif=mode=send_frame:parity=tff,fps=fps=25");
  const hdr = film({ colorTransfer: "smpte2084", colorPrimaries: "bt2020", colorSpace: "bt2020nc", colorRange: "tv" });
  expect(graphOf(hdr)).toContain("tonemap=tonemap=hable");
  expect(graphOf(hdr, 0, false)).not.toContain("tonemap");
  const many = { ...sound, channels: 16, layout: undefined };
  expect(graphOf(film({}, { audio: [many] }))).toContain("pan=args=stereo|c0=c0|c1=c1");
  const mono = { ...sound, channels: 1, layout: "mono" };
  expect(graphOf(film({}, { audio: [mono, { ...mono, index: 2 }] }))).toContain("[side_0][side_1]join=inputs=2");
  expect(graphOf(film({}, { audio: [] }))).not.toContain("[sound]");
  expect(graphOf(film({}, { video: [] }))).not.toContain("[picture]");
});

test.each<[string, Partial<VideoFacts>, number, number]>([
  ["4K", { width: 3840, height: 2160 }, 1280, 720],
  ["a phone's upright film", { width: 1080, height: 1920 }, 720, 1280],
  ["PAL for a wide screen", { width: 720, height: 576, pixelAspect: ratio(64, 45) }, 1024, 576],
  ["a small film", { width: 161, height: 91 }, 162, 92],
  ["scope", { width: 4096, height: 1716 }, 1280, 536],
  ["one line", { width: 4000, height: 1 }, 1280, 2],
])("%s is shown in square pixels and even sides, and never enlarged", (_what, video, width, height) => {
  const { picture } = planPreview(film(video));
  // A side that is odd grows by one.
  expect(picture).toEqual({ width, height });
});

test.each<[string, MediaFacts, object]>([
  [
    "120 frames a second are halved",
    film({ frameRate: ratio(120), averageFrameRate: ratio(120) }),
    { rate: ratio(60) },
  ],
  [
    "a slow film is shown five times a second",
    film({ frameRate: ratio(1, 10), averageFrameRate: ratio(1, 10) }),
    { rate: ratio(5) },
  ],
  ["nothing is longer than a day", film({}, { duration: ratio(10 ** 9) }), { steps: 24 * 3600 * 25 }],
  [
    "a picture is one frame",
    film({}, { format: "dpx_pipe", duration: undefined, audio: [] }),
    { steps: 1, hasSound: false },
  ],
])("%s", (_what, facts, expected) => {
  expect(planPreview(facts)).toMatchObject(expected);
});

test.each<[MediaFacts, RegExp]>([
  [film({}, { video: [], audio: [] }), /neither picture nor sound/],
  [film({ width: 60_000, height: 60_000 }), /60000×60000 is too large/],
  [film({}, { duration: undefined }), /length of the file is unknown/],
])("what can have no preview is refused in words", (facts, words) => {
  expect(() => planPreview(facts)).toThrow(words);
});

test("the playlist names every segment with its length, and no other has a number", () => {
  const preview = planPreview(film());
  expect(playlistOf(preview).split("\n")).toEqual([
    ...["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:4", "#EXT-X-PLAYLIST-TYPE:VOD"],
    ...["#EXT-X-INDEPENDENT-SEGMENTS", '#EXT-X-MAP:URI="init.mp4"'],
    ...["#EXTINF:4.000000,", "0.m4s", "#EXTINF:4.000000,", "1.m4s", "#EXTINF:2.000000,", "2.m4s", "#EXT-X-ENDLIST", ""],
  ]);
  expect([-1, 3, 0.5, Number.NaN].map((number) => segmentOf(preview, number))).toEqual(Array(4).fill(undefined));
});

test("a file that has no fragment is no segment", () => {
  const box = (type: string, bytes = 0) => [0, 0, 0, 8 + bytes, ...Buffer.from(type), ...Array(bytes).fill(0)];
  const file = Uint8Array.from([...box("ftyp", 4), ...box("moov"), ...box("moof", 2), ...box("mdat")]);
  const { init, media } = splitSegment(file) ?? {};
  expect([init?.length, media?.length]).toEqual([20, 18]);
  for (const bytes of [[], box("ftyp"), [0, 0, 0, 0, 1, 2, 3, 4, 5], Array(40).fill(0)])
    expect(splitSegment(Uint8Array.from(bytes))).toBe(undefined);
});
