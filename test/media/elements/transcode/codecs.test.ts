import { describe, expect, test } from "vitest";
import { containers } from "../../../../media/elements/transcode/containers/index.ts";
import { videoCodecs } from "../../../../media/elements/transcode/video/index.ts";
import { parseJob } from "../../../../media/jobs/parse-job.ts";
import { ratio } from "../../../../shared/basics/rational.ts";
import { aJob } from "../../../helpers/farm/farm.ts";
import {
  argsOf,
  audioWords,
  muxerWords,
  refusalOf,
  videoFilters,
  videoWords,
  warningsOf,
  workOf,
} from "../../../helpers/media/transcode-words.ts";

const pal = { width: 720, height: 576 };
const picture = (video: object, file_pattern: string, more: object = {}) => ({ file_pattern, video, ...more });
const sound = (audio: object, file_pattern: string, more: object = {}) => ({ file_pattern, audio: [audio], ...more });

test.each([
  ["x.mov", "yuv420p", "uyvy422"],
  ["x.mov", "gray", "gray"],
  ["x.mov", "bgr24", "bgr24"],
  ["x.avi", "yuv420p", "yuv420p"],
  ["x.avi", "yuv444p", "uyvy422"],
  ["x.nut", "yuv422p10le", "yuv422p10le"],
])("raw pictures in %s come from %s as %s", (name, pixelFormat, expected) => {
  const words = videoFilters(picture({ codec: "raw" }, name), { video: { pixelFormat } });
  expect(/pix_fmts=(\w+)$/.exec(words)?.[1]).toBe(expected);
});

test("raw pictures are not put into fewer bits without being asked", () => {
  const refusal = refusalOf(picture({ codec: "raw" }, "x.mov"), { video: { pixelFormat: "yuv444p10le" } });
  expect(refusal).toContain("a .mov file cannot hold raw yuv444p10le; nut can");
  expect(videoWords(picture({ codec: "raw" }, "x.mov"), { video: { pixelFormat: "yuv422p10le" } })).toMatch(/^v210/);
});

describe("a video codec", () => {
  test.each([
    ["x.mpg", { codec: "mpeg1", bitrate_kb: 1150, max_gop_frames: 12 }, "mpeg1video -b 1150000 -g 12"],
    ["x.mkv", { codec: "mpeg2" }, "mpeg2video -q 3"],
    [
      "x.ts",
      {
        ...{ codec: "mpeg2", bitrate_mode: "cbr", bitrate_kb: 15_000, profile: "MP", level: "HL", max_bframes: 2 },
        ...{ exact_gop_frames: 12, use_closed_gop: true, video_format: "pal", max_available_vbv: 90, slices: 4 },
      },
      "mpeg2video -b 15000000 -minrate 15000000 -maxrate 15000000 -bufsize 15000000 -rc_max_vbv_use 0.9 -g 12 " +
        "-keyint_min 12 -sc_threshold 1000000000 -bf 2 -slices 4 -profile 4 -level 4 -video_format pal -flags +cgop",
    ],
    ["x.avi", { codec: "mpeg4", qscale: 2 }, "mpeg4 -q 2"],
    ["x.webm", { codec: "vp8", bitrate_kb: 800 }, "libvpx -b 800000 -deadline good -cpu-used 2"],
    ["x.webm", { codec: "vp9", crf: 30 }, "libvpx-vp9 -b 0 -crf 30 -deadline good -cpu-used 2 -row-mt 1"],
    ["x.mkv", { codec: "av1", crf: 32, idr_interval: { seconds: 2 } }, "libsvtav1 -crf 32 -preset 8 -g 50"],
    ["x.mov", { codec: "dv25", ...pal }, "dvvideo"],
    ["x.mxf", { codec: "dv50", ...pal }, "dvvideo"],
    ["x.mxf", { codec: "dnxhd" }, "dnxhd -b 185000000 -profile dnxhd"],
    ["x.mxf", { codec: "dnxhd", chroma_format: "yuv422p", bitrate_kb: 120_000 }, "dnxhd -b 120000000 -profile dnxhd"],
    ["x.mov", { codec: "dnxhd", chroma_format: "yuv422p", width: 640 }, "dnxhd -profile dnxhr_hq"],
    ["x.avi", { codec: "mjpeg" }, "mjpeg -q 3"],
    ["x.mxf", { codec: "jpeg2000" }, "libopenjpeg -format j2k"],
    [
      "x.mxf",
      { codec: "jpeg2000", profile: "cinema2k" },
      "libopenjpeg -profile cinema2k -cinema_mode 2k_24 -format j2k",
    ],
    ["x.mxf", { codec: "jpeg2000", bitrate_kb: 1e5 }, "libopenjpeg -format j2k -compression_level 8 -irreversible 1"],
    [
      "x.mov",
      { codec: "h264", use_cabac: false, use_loop_filter: false, slices: 8, interlace_mode: "tff" },
      "libx264 -slices 8 -flags +ildct+ilme -x264-params cabac=0:no-deblock=1:tff=1",
    ],
    [
      "x.mp4",
      { codec: "h265", bitrate_kb: 900, slices: 2, vbv_init_occupancy_kb: 500, x265_options: "qg-size=16" },
      "libx265 -b 900000 -tag hvc1 -x265-params slices=2:vbv-init=500:qg-size=16",
    ],
    [
      "x.mov",
      { codec: "prores", interlace_mode: "bff" },
      "prores_ks -profile standard -vendor apl0 -flags +ildct+ilme",
    ],
  ])("in %s: %j is %s", (file_pattern, video, words) => {
    expect(videoWords(picture(video, file_pattern))).toBe(words);
  });

  test("of D-10 is of one size a picture, below the lines of the blanking interval", () => {
    const video = { codec: "mpeg2", ...pal, ar_max_distortion: 100, add_vbi_if_needed: true, interlace_mode: "tff" };
    const target = picture(video, "x.mxf", { container: { kind: "mxf_d10" } });
    expect(videoWords(target)).toBe(
      "mpeg2video -b 50000000 -minrate 50000000 -maxrate 50000000 -bufsize 2000000 -rc_init_occupancy 2000000 " +
        "-rc_max_vbv_use 1 -rc_min_vbv_use 1 -g 0 -bf 0 -qmin 1 -qmax 12 -ps 1 -dc 10 -intra_vlc 1 " +
        "-non_linear_quant 1 -flags +ildct+ilme+low_delay",
    );
    expect(videoFilters(target)).toBe(
      "scale=w=720:h=576:flags=bicubic,pad=w=720:h=608:x=0:y=32,setfield=mode=tff,setsar=sar=64/45,format=pix_fmts=yuv422p",
    );
  });

  test.each([
    ["seconds", [1.5, "3"], "1.5,3"],
    ["frames", { frames: [50, 0] }, "0,2"],
    ["timecodes", ["00:00:01:00"], "1"],
    ["lists of them", [{ seconds: [4] }, { timecodes: ["00:00:02:12"] }], "2.48,4"],
  ])("stands a keyframe at %s", (_name, forced_keyframes, moments) => {
    expect(videoWords(picture({ codec: "h264", chroma_format: "yuv420p", forced_keyframes }, "x.mp4"))).toBe(
      `libx264 -force_key_frames ${moments} -forced-idr 1`,
    );
  });

  test.each([
    [
      { codec: "dv25", width: 640 },
      "x.mov",
      "dv25 has pictures of 720x576 at 25 frames a second and 720x480 at 30000/1001",
    ],
    [{ codec: "mpeg2", frame_rate: 12 }, "x.mkv", "frame_rate 12: mpeg2 has 24000/1001"],
    [{ codec: "mpeg2", profile: "apcn" }, "x.mkv", 'profile "apcn" is no profile of mpeg2'],
    [{ codec: "h264", profile: "high", chroma_format: "yuv422p" }, "x.mkv", "yuv422p contradicts profile high"],
    [{ codec: "h264", hrd_signaling: "post_process" }, "x.mkv", 'hrd_signaling "post_process" is not implemented'],
    [{ codec: "jpeg2000", profile: "imf_8k" }, "x.mxf", 'profile "imf_8k" of jpeg2000 is not implemented'],
    [{ codec: "jpeg2000", profile: "imf_2k", width: 3840 }, "x.mxf", "up to 2048x1556, not 3840x2160"],
    [{ codec: "jpeg2000", profile: "imf_4k", mainlevel: 1 }, "x.mxf", "mainlevel 1 allows 65 million a second"],
    [{ codec: "jpeg2000", mainlevel: 1 }, "x.mxf", "mainlevel: bc_single, imf_2k and imf_4k have levels"],
    [{ codec: "jpeg2000", profile: "cinema2k", width: 3840 }, "x.mxf", "up to 2048x1080, not 3840x2160"],
    [
      { codec: "jpeg2000", profile: "cinema2k", chroma_format: "yuv422p" },
      "x.mxf",
      "yuv422p: cinema2k has 12 bits in 4:4:4",
    ],
    [{ codec: "av1", bitrate_mode: "cbr", bitrate_kb: 9 }, "x.mkv", "bitrate_mode cbr: the encoder of AV1"],
    [{ codec: "vp9", interlace_mode: "tff" }, "x.webm", "interlace_mode tff: vp9 has progressive here"],
    [{ codec: "h264", frames: 12 }, "x.mkv", "video.frames is not implemented yet"],
  ])("refuses %j", (video, file_pattern, message) => {
    expect(refusalOf(picture(video, file_pattern))).toContain(message);
  });
});

describe("the chroma of a target", () => {
  const formatOf = (video: object, pixelFormat: string) =>
    /pix_fmts=(.*)/.exec(videoFilters(picture(video, "x.mkv"), { video: { pixelFormat } }))?.[1];

  test.each([
    ["vp9", "yuv422p10le", "yuv422p10le"],
    ["mpeg2", "yuv422p10le", "yuv422p"],
    ["mpeg2", "yuv411p", "yuv422p"],
    ["av1", "yuv422p10le", "yuv420p10le"],
    ["vp8", "yuv444p", "yuv420p"],
  ])("of %s is the nearest one to the source's %s: %s", (codec, from, to) => {
    expect(formatOf({ codec }, from)).toBe(to);
  });

  test.each([
    ["h264", "yuv422p10le", {}, "yuv420p"],
    ["h264", "rgb24", {}, "yuv420p"],
    ["h264", "yuvj422p", {}, "yuvj420p"],
    ["h264", "yuv420p10le", { color_trc: "hlg" }, "yuv420p10le"],
    ["h265", "yuv422p10le", {}, "yuv420p10le"],
    ["h265", "yuv444p", {}, "yuv420p"],
  ])("of %s from %s with %j is what players take: %s", (codec, from, more, to) => {
    expect(formatOf({ codec, ...more }, from)).toBe(to);
  });

  test("is that of an explicit profile or level", () => {
    expect(formatOf({ codec: "h264", profile: "high" }, "yuv422p10le")).toBe("yuv420p");
    expect(formatOf({ codec: "h264", level: "4.0" }, "yuv422p10le")).toBe("yuv420p");
    expect(formatOf({ codec: "h265", level: "4.0" }, "yuv422p10le")).toBe("yuv420p10le");
    expect(formatOf({ codec: "mpeg2", profile: "422P" }, "yuv420p")).toBe("yuv422p");
  });
});

describe("fields", () => {
  const filtersOf = (video: object, fieldOrder: string) =>
    videoFilters(picture({ chroma_format: "yuv422p10le", ...video }, "x.mov"), { video: { fieldOrder } });
  const rest = "setsar=sar=1,format=pix_fmts=yuv422p10le";

  test.each([
    ["stay as they are", { codec: "prores" }, "tt", "setfield=mode=tff,"],
    ["change their order", { codec: "prores", interlace_mode: "bff" }, "tt", "fieldorder=order=bff,setfield=mode=bff,"],
    ["become pictures", { codec: "prores", interlace_mode: "progressive" }, "bb", "bwdif=mode=send_frame:parity=bff,"],
    [
      "become twice as many pictures",
      { codec: "prores", interlace_mode: "progressive", frame_rate: 50 },
      "tt",
      "bwdif=mode=send_field:parity=tff,",
    ],
    [
      "are marked in pictures that have none",
      { codec: "h264", interlace_mode: "tff" },
      "progressive",
      "setfield=mode=tff,",
    ],
    [
      "are made of twice as many pictures",
      { codec: "prores", interlace_mode: "tff", frame_rate: 12.5 },
      "progressive",
      "interlace=scan=tff:lowpass=linear,",
    ],
    [
      "are made anew at another rate",
      { codec: "prores", frame_rate: "30000/1001" },
      "tt",
      "bwdif=mode=send_field:parity=tff,fps=fps=60000/1001:start_time=0,interlace=scan=tff:lowpass=off,",
    ],
    [
      "are those of the moments of slower film",
      { codec: "prores", interlace_mode: "tff", frame_rate: "30000/1001", smart_temporal_conversions: true },
      "progressive",
      "fps=fps=60000/1001:start_time=0,interlace=scan=tff:lowpass=off,",
    ],
    [
      "of film lose their repetitions",
      { codec: "prores", interlace_mode: "progressive", frame_rate: 20, smart_temporal_conversions: true },
      "tt",
      "fieldmatch=order=tff:combmatch=full,bwdif=mode=send_frame:parity=tff:deint=interlaced,decimate,",
    ],
    [
      "all become pictures, of which another rate takes the nearest",
      { codec: "prores", interlace_mode: "progressive", frame_rate: "30000/1001", smart_temporal_conversions: true },
      "tt",
      "bwdif=mode=send_field:parity=tff,fps=fps=30000/1001:start_time=0,",
    ],
    [
      "are made anew in another size",
      { codec: "prores", height: 720 },
      "bb",
      "bwdif=mode=send_field:parity=bff,scale=w=1280:h=720:flags=bicubic,interlace=scan=bff:lowpass=linear,",
    ],
    [
      "stay apart while chroma is thinned",
      { codec: "h264", chroma_format: "yuv420p" },
      "tt",
      "scale=w=1920:h=1080:flags=bicubic:interl=1,setfield=mode=tff,",
    ],
  ])("%s", (_name, video, fieldOrder, expected) => {
    expect(filtersOf(video, fieldOrder).replace("yuv420p", "yuv422p10le")).toBe(`${expected}${rest}`);
  });

  test("that a codec does not have become pictures, which is said where the job does not ask for it", () => {
    const film = { video: { fieldOrder: "tt" } };
    const filters = (video: object) => videoFilters(picture({ codec: "vp9", ...video }, "x.webm"), film);
    expect(filters({})).toContain("bwdif=mode=send_frame:parity=tff");
    expect(filters({})).toBe(filters({ interlace_mode: "progressive" }));
    expect(warningsOf(picture({ codec: "vp9" }, "x.webm"), film)).toEqual([
      "target.video: the source is interlaced and vp9 is not: its fields become pictures",
    ]);
    expect(warningsOf(picture({ codec: "vp9", interlace_mode: "progressive" }, "x.webm"), film)).toEqual([]);
    expect(refusalOf(picture({ codec: "vp9", interlace_mode: "tff" }, "x.webm"), film)).toBe(
      "target.video.interlace_mode tff: vp9 has progressive here",
    );
  });
});

describe("colours", () => {
  const filtersOf = (video: object, source: object) =>
    videoFilters(picture({ codec: "h265", ...video }, "x.mkv"), { video: source }).replace(
      /,?format=pix_fmts=[^,]*$/,
      "",
    );
  const hd = { colorRange: "tv", colorPrimaries: "bt709", colorTransfer: "bt709", colorSpace: "bt709" };
  const pq = { colorRange: "tv", colorPrimaries: "bt2020", colorTransfer: "smpte2084", colorSpace: "bt2020nc" };

  test("are converted between standard and high definition where the job leaves them to the farm", () => {
    const video = { height: 576, width: 720, smart_chroma_conversions: true };
    const conversion = /zscale=rin=tv:pin=bt709:tin=bt709:min=bt709:r=tv:p=bt470bg:t=smpte170m:m=bt470bg:/;
    expect(filtersOf(video, { height: 1080 })).toMatch(conversion);
    expect(filtersOf({ ...video, height: 1080 }, { height: 1080 })).not.toContain("zscale");
    expect(filtersOf({ ...video, color_matrix: "bt709" }, hd)).not.toContain("zscale=rin");
  });

  test("are limited to broadcast-safe levels", () => {
    const safe = (more: object) => videoFilters(picture({ codec: "h264", use_broadcast_safe: true, ...more }, "x.mkv"));
    expect(safe({ chroma_format: "yuv420p" })).toMatch(
      /format=pix_fmts=yuv420p,limiter=min=16:max=235:planes=1,limiter=min=16:max=240:planes=6$/,
    );
    expect(safe({ chroma_format: "yuv422p10le" })).toContain("limiter=min=64:max=940:planes=1");
    expect(refusalOf(picture({ codec: "png", use_broadcast_safe: true }, "x.png"))).toBe(
      "target.video.use_broadcast_safe needs the limited range of YUV, not rgb24",
    );
  });

  test("that a source has no word for become tags", () => {
    const video = { color_primaries: "bt709", color_trc: "gamma22", color_matrix: "bt709" };
    expect(filtersOf(video, {})).toBe("setsar=sar=1,setparams=color_primaries=bt709:color_trc=bt470m:colorspace=bt709");
  });

  test("that a source has already are left alone", () => {
    expect(filtersOf({ color_primaries: "bt709" }, hd)).toBe("setsar=sar=1");
  });

  test("of another kind are converted", () => {
    const video = { color_primaries: "bt601", color_trc: "bt601", color_matrix: "bt601" };
    expect(filtersOf(video, hd)).toBe(
      "setsar=sar=1,zscale=rin=tv:pin=bt709:tin=bt709:min=bt709:r=tv:p=smpte170m:t=smpte170m:m=smpte170m:" +
        "dither=error_diffusion",
    );
  });

  test("of high dynamic range are pressed together for one that is not", () => {
    const video = { color_primaries: "bt709", color_trc: "bt709", color_matrix: "bt709" };
    expect(filtersOf(video, pq)).toBe(
      "setsar=sar=1,zscale=rin=tv:pin=bt2020:tin=smpte2084:min=bt2020nc:p=bt709:t=linear:npl=100," +
        "format=pix_fmts=gbrpf32le,tonemap=tonemap=hable:desat=0," +
        "zscale=r=tv:p=bt709:t=bt709:m=bt709:dither=error_diffusion",
    );
  });

  test.each([
    ["bt470m", "bt470m"],
    ["gamma22", "bt470m"],
    ["gamma28", "bt470bg"],
    ["log", "log100"],
    ["log sqrt", "log316"],
    ["bt1361 ecg", "bt1361e"],
    ["hlg", "arib-std-b67"],
  ])("of the curve %s are ffmpeg's %s", (color_trc, spelled) => {
    expect(filtersOf({ color_trc }, {})).toBe(`setsar=sar=1,setparams=color_trc=${spelled}`);
  });

  test("of a curve that no filter knows are refused where they must be converted", () => {
    expect(refusalOf(picture({ codec: "h264", color_trc: "bt1361 ecg" }, "x.mkv"), { video: hd })).toBe(
      "target.video.color_trc: converting from or to bt1361 ecg is not implemented",
    );
  });
});

describe("HDR10", () => {
  const display = "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)";
  const pq = { color_primaries: "bt2020", color_trc: "st2084", color_matrix: "bt2020nc" };
  const film = {
    video: {
      ...{ colorPrimaries: "bt2020", colorTransfer: "smpte2084", colorSpace: "bt2020nc" },
      hdr: { masterDisplay: display, maxCll: 1000, maxFall: 400 },
    },
  };
  const h265 = (video: object) => ({ file_pattern: "x.mp4", video: { codec: "h265", ...video } });
  const forPq = (cll: string) => `hdr10=1:repeat-headers=1:master-display=${display}:max-cll=${cll}`;

  test("comes from the source or from the job", () => {
    expect(videoWords(h265({}), film)).toContain(forPq("1000,400"));
    expect(videoWords(h265({ hdr10: { source: "media", max_cll: 900 } }), film)).toContain(forPq("900,400"));
    const config = { source: "config", master_display: display, max_cll: "800" };
    expect(videoWords(h265({ ...pq, hdr10: config }))).toContain(forPq("800,0"));
    expect(videoWords(h265({ hdr10: { source: "none" } }), film)).not.toContain("hdr10");
  });

  test("leaves a picture that is no longer PQ", () => {
    const sdr = { color_primaries: "bt709", color_trc: "bt709", color_matrix: "bt709" };
    expect(argsOf(h265(sdr), film)[0]?.join(" ")).toContain("sidedata=mode=delete:type=CONTENT_LIGHT_LEVEL");
    expect(argsOf(h265({}), film)[0]?.join(" ")).not.toContain("sidedata");
  });

  test.each([
    [
      { ...pq, hdr10: { source: "media" } },
      'target.video.hdr10.source "media": the source has no HDR10 metadata; use config',
    ],
    [{ hdr10: { source: "config", max_cll: 1 } }, "target.video.hdr10 needs the transfer of PQ: set color_trc st2084"],
    [
      { ...pq, hdr10: { source: "config", master_display: "bright" } },
      "target.video.hdr10.master_display is not of the form G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)",
    ],
  ])("is refused by name where it cannot be: %j", (video, message) => {
    expect(refusalOf(h265(video))).toBe(message);
  });
});

describe("a scaler", () => {
  test("of the exact kind has its own filters", () => {
    const video = {
      codec: "h264",
      chroma_format: "yuv420p",
      width: 640.4,
      scaler: { kind: "zscale", algorithm: "spline36" },
    };
    expect(videoFilters(picture(video, "x.mkv"))).toBe(
      "zscale=w=640:h=360:filter=spline36,setsar=sar=1,format=pix_fmts=yuv420p",
    );
  });

  test("is at work in any case where it shall always be applied", () => {
    const video = { codec: "h264", chroma_format: "yuv420p", scaler: { apply_always: true } };
    expect(videoFilters(picture(video, "x.mkv"))).toBe(
      "scale=w=1920:h=1080:flags=bicubic,setsar=sar=1,format=pix_fmts=yuv420p",
    );
  });
});

describe("an audio codec", () => {
  test.each([
    ["x.ts", { codec: "mpeg2_aac", bitrate_kb: 192 }, "aac -b 192000 -profile mpeg2_aac_low"],
    ["x.mp2", { codec: "mp2", bitrate_kb: 192 }, "mp2 -b 192000"],
    ["x.mp3", { codec: "mp3", bitrate_kb: 192 }, "libmp3lame -b 192000"],
    ["x.mp3", { codec: "mp3", bitrate_mode: "vbr", bitrate_kb: 192 }, "libmp3lame -b 192000 -abr 1"],
    ["x.mp3", { codec: "mp3", bitrate_mode: "vbr" }, "libmp3lame -q 2"],
    ["x.ac3", { codec: "ac3", bitrate_kb: 192, dialnorm: -27 }, "ac3 -b 192000 -dialnorm -27"],
    ["x.mp4", { codec: "eac3", bitrate_kb: 200, dialnorm: "-24" }, "eac3 -b 200000 -dialnorm -24"],
    ["x.ts", { codec: "s302m" }, "s302m -sample_fmt s32 -bits_per_raw_sample 24 -strict experimental"],
    ["x.aiff", { codec: "aiff", sample_size: 16 }, "pcm_s16be"],
    ["x.aiff", { codec: "pcm" }, "pcm_s24be"],
    ["x.m4a", { codec: "alac" }, "alac -sample_fmt s32p -bits_per_raw_sample 24"],
    ["x.flac", { codec: "flac", sample_size: 16 }, "flac -sample_fmt s16"],
    ["x.ogg", { codec: "vorbis", bitrate_kb: 128, max_bitrate_kb: 160 }, "libvorbis -b 128000 -maxrate 160000"],
    ["x.webm", { codec: "opus", bitrate_kb: 96, bitrate_mode: "cbr" }, "libopus -b 96000 -vbr off"],
    ["x.al", { codec: "pcm" }, "pcm_alaw"],
    ["x.nut", { codec: "pcm", sample_format: "pcm_u16le" }, "pcm_u16le"],
  ])("in %s: %j is %s", (file_pattern, audio, words) => {
    expect(audioWords(sound(audio, file_pattern))).toBe(words);
  });

  test("that fdkaac encodes is decoded first, encoded once for all targets, and copied", () => {
    const target = sound({ codec: "heaac_auto", bitrate_kb: 32, channels: 2 }, "x.mp4");
    const { steps } = workOf(target);
    expect(steps.map(({ do: kind, id }) => [kind, id])).toEqual([
      ["ffmpeg", "transcode_sounds"],
      ["fdkaac", "transcode_sound_0"],
      ["ffmpeg", "transcode"],
    ]);
    expect(steps[1]).toEqual({
      ...{ do: "fdkaac", id: "transcode_sound_0", profile: 29, bitRate: 32_000 },
      ...{ from: "transcode_sound_0", to: "transcode_sound_0_aac" },
    });
  });

  test("of the vendor tells decoders what they may know", () => {
    const fields = {
      ...{ audio_coding_mode: "3/2L", bitstream_mode: "dialogue", dialnorm: -20 },
      ...{ vendor_surround_mode: "not_indicated", vendor_digital_surround_ex_mode: "enabled" },
      stereo_downmix_preference: {
        preferred_downmix: "loro",
        loro_center_mix_level: -3,
        ltrt_surround_mix_level: "-inf",
      },
    };
    const target = sound({ codec: "vendor_digital_plus", bitrate_kb: 256, vendor_digital_plus: fields }, "x.mp4");
    expect(audioWords(target)).toBe(
      "eac3 -b 256000 -dialnorm -20 -audio_service_type di -dsur_mode notindicated -dsurex_mode on " +
        "-dmix_mode loro -ltrt_surmixlev 0 -loro_cmixlev 0.708",
    );
    expect(workOf(target).outputs.t0?.expect?.audio).toEqual([{ codec: "eac3", channels: 6 }]);
  });

  test.each([
    [{ codec: "mp2", bitrate_kb: 100 }, "x.mp2", "audio[0].bitrate_kb 100: mp2 has 32, 48, 56"],
    [{ codec: "ac3", bitrate_kb: 200 }, "x.ac3", "audio[0].bitrate_kb 200: ac3 has 32, 40, 48"],
    [{ codec: "mp3", channels: 6 }, "x.mp3", "mp3 has 2 channels at most, not 6"],
    [{ codec: "s302m", channels: 3 }, "x.ts", "s302m has 2, 4, 6, 8 channels, not 3"],
    [{ codec: "flac", sample_size: 32 }, "x.flac", "sample_size 32: flac has 16 and 24"],
    [{ codec: "ac3", dialnorm: "loud" }, "x.ac3", 'audio[0].dialnorm "loud" is no number from -31 to -1'],
    [{ codec: "pcm", sample_format: "pcm_f16le" }, "x.nut", 'sample_format "pcm_f16le" has no encoder'],
    [
      { codec: "ac3", vendor_digital: { surround_attenuation_3_db: true } },
      "x.ac3",
      "audio[0].vendor_digital.surround_attenuation_3_db is not implemented yet",
    ],
  ])("refuses %j", (audio, file_pattern, message) => {
    expect(refusalOf(sound(audio, file_pattern))).toContain(message);
  });

  test("takes the next rate that it has where the source's is none of them", () => {
    const rateOf = (audio: object, file_pattern: string, sampleRate: number) =>
      /sample_rates=(\d+)/.exec(JSON.stringify(workOf(sound(audio, file_pattern), { audio: { sampleRate } })))?.[1];
    expect(rateOf({ codec: "mp3" }, "x.mp3", 96_000)).toBe("48000");
    expect(rateOf({ codec: "opus" }, "x.webm", 44_100)).toBe("48000");
    expect(rateOf({ codec: "mp3" }, "x.mp3", 44_100)).toBeUndefined();
  });

  test("speaks the source's language, and the default one where that is none", () => {
    const spoken = (audio: object, language: string | undefined) =>
      /language=\w*/.exec(
        JSON.stringify(workOf(sound({ codec: "aac", ...audio }, "x.mp4"), { audio: { language } })),
      )?.[0];
    expect(spoken({ default_language: "de" }, "fre")).toBe("language=fra");
    expect(spoken({ default_language: "de" }, "und")).toBe("language=deu");
    expect(spoken({ default_language: "de" }, undefined)).toBe("language=deu");
    expect(spoken({ default_language: "de", language: "es" }, "fre")).toBe("language=spa");
  });
});

test("a source plays faster or slower where its rate is near enough to the target's", () => {
  const target = (percent: number) => ({
    ...picture({ codec: "h264", frame_rate: 24 }, "x.mp4", { container: { auto_speed_change_delta_percent: percent } }),
    audio: [{ codec: "aac" }],
  });
  expect(String(argsOf(target(5))[0])).toContain("setpts=expr=PTS*25/24");
  expect(String(argsOf(target(3))[0])).not.toContain("setpts=expr=PTS*25/24");
});

describe("without a word about it", () => {
  const ntsc = { video: { frameRate: ratio(24_000, 1001), averageFrameRate: ratio(24_000, 1001) } };
  const rung = (name: string, frame_rate: number | undefined, container = {}) =>
    picture({ codec: "h264", frame_rate }, name, { container });
  const song = { file_pattern: "x.m4a", audio: [{ codec: "aac" }] };
  const graphs = (...targets: object[]) => argsOf(targets, ntsc).map((args) => `${args}`.includes("setpts=expr=PTS"));

  test("23.976 becomes 24 by playing faster, with the sound that is made beside it", () => {
    expect(graphs(rung("a.mp4", 24), rung("b.mp4", 24), song)).toEqual([true]);
    expect(String(argsOf([rung("a.mp4", 24), song], ntsc)[0])).toContain("atempo");
  });

  test("not where the job forbids it, nor where pictures beside it keep their time", () => {
    expect(graphs(rung("a.mp4", 24, { auto_speed_change_delta_percent: 0 }))).toEqual([false]);
    expect(graphs(rung("a.mp4", 24), rung("b.mp4", undefined))).toEqual([false]);
  });
});

describe("a container", () => {
  const h264 = { codec: "h264", chroma_format: "yuv420p" };

  test.each([
    ["fmp4", "x.mp4", "-movflags +frag_keyframe+delay_moov+default_base_moof+global_sidx -write_tmcd 0 -f mp4"],
    ["ismv", "x.ismv", "-f ismv"],
    ["3gp", "x.3gp", "-f 3gp"],
    ["avi", "x.avi", "-avoid_negative_ts disabled -f avi"],
    ["mxf", "x.mxf", "-f mxf"],
    ["mpeg2ts", "x.ts", "-pcr_period 20 -mpegts_m2ts_mode 0 -f mpegts"],
    ["mpegts", "x.m2ts", "-pcr_period 20 -mpegts_m2ts_mode 1 -f mpegts"],
    ["mp2_program", "x.mpg", "-f vob"],
  ])("of kind %s is %s: %s", (kind, file_pattern, words) => {
    expect(muxerWords(picture(h264, file_pattern, { container: { kind } }))).toBe(`${words} {"out":"t0"}`);
  });

  test.each([
    ["mp1_system", "mpeg1", undefined, "mpeg"],
    ["mp2_program", "mpeg2", { dvd_compatible: true }, "dvd"],
    ["vob", "mpeg2", undefined, "vob"],
    ["dvd", "mpeg2", undefined, "dvd"],
    ["mp2_program", "mpeg2", { thirdparty_mux_profile: "SVCD" }, "svcd"],
    ["mp2_elementary", "mpeg2", undefined, "mpeg2video"],
    ["mp1_elementary", "mpeg1", undefined, "mpeg1video"],
    ["elementary", "h264", undefined, "h264"],
    ["copy", "h264", undefined, "mov"],
  ])("of kind %s with %s and %j is made by the muxer %s", (kind, codec, more, muxer) => {
    const words = muxerWords(picture({ codec }, "x{default_extension}", { container: { kind, ...more } })).split(" ");
    expect(words[words.indexOf("-f") + 1]).toBe(muxer);
  });

  test("that is a transport stream says what a job wants of it", () => {
    const container = {
      ...{ kind: "mpegts", muxrate_kb: 4000, transport_id: 7, pmt_pid: 480, pcr_pid: 481, pcr_interval_ms: 30 },
      ...{ pat_interval_ms: 200, pmt_interval_ms: 100, use_sdt: true, ts_offset_ms: 500 },
    };
    const target = picture({ ...h264, pid: 481 }, "x.ts", { container, audio: [{ codec: "aac", pid: 482 }] });
    expect(muxerWords(target)).toBe(
      "-muxrate 4000000 -mpegts_transport_stream_id 7 -mpegts_pmt_start_pid 480 -pcr_period 27 -pat_period 0.09 " +
        '-mpegts_m2ts_mode 0 -output_ts_offset 0.5 -streamid 0:481 -streamid 1:482 -f mpegts {"out":"t0"}',
    );
  });

  test("of MP4's kind has no list of edits where it shall have none", () => {
    const container = { kind: "mov", mov_atoms: { no_empty_elst: true } };
    expect(muxerWords(picture(h264, "x.mov", { container }))).toBe(
      '-movflags +faststart -write_tmcd 0 -use_editlist 0 -f mov {"out":"t0"}',
    );
  });

  test("of single streams is one file for each of them", () => {
    const audio = [{ codec: "mp2" }, { codec: "ac3", enabled: false }];
    const more = { uid: "es", audio, container: { kind: "mp2_elementary" } };
    const { outputs } = workOf(picture({ codec: "mpeg2" }, "{source_basename}{default_extension}", more));
    expect(Object.values(outputs).map(({ version, name }) => [version, name])).toEqual([
      ["es", "film.m2v"],
      ["es_audio_0", "film.mp2"],
    ]);
  });

  test.each([
    [{ kind: "segmented_ts", use_sdt: false }, "container.use_sdt false: the muxer writes a service"],
    [{ kind: "segmented_ts", pcr_pid: 77 }, "container.pcr_pid 77: the clock travels with the picture"],
    [{ kind: "mpegts", pmt_pid: 5 }, "container.pmt_pid 5 is reserved: a stream's is 32 to 8186"],
    [
      { kind: "mpegts", thirdparty_mux_profile: "DVHS" },
      'thirdparty_mux_profile "DVHS" is not implemented for mpegts: there are DVB',
    ],
    [{ kind: "aa" }, 'container.kind "aa" is not implemented yet'],
  ])("refuses %j", (container, message) => {
    expect(refusalOf(picture(h264, "x.ts", { container }))).toContain(message);
  });

  test("gives no pid to two streams", () => {
    const target = picture({ ...h264, pid: 300 }, "x.ts", { audio: [{ codec: "aac", pid: 300 }] });
    expect(refusalOf(target)).toBe("target gives the pid 300 to two streams");
  });
});

describe("a codec that a container cannot hold is refused when the job is submitted", () => {
  const said = (target: object): string => {
    try {
      const payload = { targets: [{ parameter_compliance: "strict", ...target }] };
      return parseJob(aJob({ payload: { elements: [{ uid: "t", kind: "transcode", payload }] } })).warnings.join();
    } catch (error) {
      return String(error).replace(/^.*targets\[0\]\./, "");
    }
  };

  test.each([
    [
      picture({ codec: "vp9" }, "x", { container: { kind: "mov" } }),
      'video.codec: "vp9" cannot be in container.kind "mov"',
    ],
    [
      picture({ codec: "prores" }, "x.mp4"),
      'video.codec: "prores" cannot be in a .mp4 file, which file_pattern "x.mp4"',
    ],
    [
      sound({ codec: "pcm", sample_format: "pcm_s64be" }, "x.mov"),
      'audio[0].sample_format: "pcm_s64be" cannot be in a .mov file',
    ],
    [sound({ codec: "pcm", sample_size: 8, sample_format: "pcm_s8" }, "x.mkv"), '"pcm_s8" cannot be in a .mkv file'],
    [sound({ codec: "opus" }, "x.mp3"), 'audio[0].codec: "opus" cannot be in a .mp3 file'],
    [
      sound({ codec: "pcm", sample_rate: 44_100 }, "x.mxf"),
      "audio[0].sample_rate: 44100 is none of its rates: pcm in a .mxf file",
    ],
    [sound({ codec: "ac3", sample_rate: 22_050 }, "x.mkv"), "audio[0].sample_rate: 22050 is none of its rates"],
    [
      picture({ codec: "h264" }, "x.mxf", { compliance: "xdcam_hd" }),
      'compliance: "xdcam_hd" has pictures of mpeg2, video.codec is h264',
    ],
  ])("%j", (target, message) => {
    expect(said(target)).toContain(message);
  });

  test("or planned, where only the name of its file tells the container of a relaxed target", () => {
    const target = picture({ codec: "prores" }, "x.mp4");
    expect(said({ ...target, parameter_compliance: "relaxed" })).toBe("");
    expect(refusalOf(target)).toBe('target.video.codec "prores": a .mp4 file cannot hold prores');
  });

  test("but not where the source decides", () => {
    expect(said(picture({ codec: "vp9" }, "x", { container: { kind: "copy" } }))).toBe("");
  });
});

test("what a container takes is said once: by its pattern, or by the codec that names its family", () => {
  const twice = containers.flatMap(({ family, video, extensions }) =>
    videoCodecs
      .filter(({ probed, containers: families }) => families.some((each) => each === family) && video.test(probed))
      .map(({ name }) => `${name} in ${extensions[0]}`),
  );
  expect(twice).toEqual([]);
});
