import { describe, expect, test } from "vitest";
import { elementOf } from "../../../../media/elements/index.ts";
import { ffmpegHead, safeInput } from "../../../../media/ffmpeg/args.ts";
import { ratio } from "../../../../shared/basics/rational.ts";
import type { Asset, AudioFacts, MediaFacts, VideoFacts } from "../../../../shared/model/asset.ts";
import { TaskError } from "../../../../shared/model/failure.ts";
import type { Work } from "../../../../shared/work/work.ts";

const aVideo = (more: Partial<VideoFacts> = {}): VideoFacts => ({
  ...{ index: 0, codec: "h264", timeBase: ratio(1, 12288), start: ratio(0), duration: ratio(30), width: 1920 },
  ...{ height: 1080, pixelFormat: "yuv420p", frameRate: ratio(24), averageFrameRate: ratio(24), frames: 720 },
  ...{ pixelAspect: ratio(1), fieldOrder: "progressive" },
  ...more,
});

const someAudio = (more: Partial<AudioFacts> = {}): AudioFacts => ({
  ...{ index: 1, codec: "aac", timeBase: ratio(1, 48000), start: ratio(0), duration: ratio(30), channels: 6 },
  ...{ layout: "5.1", sampleRate: 48000 },
  ...more,
});

const someFacts = (more: Partial<MediaFacts> = {}): MediaFacts => ({
  ...{ format: "mov,mp4,m4a,3gp,3g2,mj2", start: ratio(0), duration: ratio(30), size: 1000, others: [] },
  ...{ video: [aVideo()], audio: [someAudio()] },
  ...more,
});

type Source = { readonly facts?: MediaFacts; readonly range?: Asset["range"] };

const contextFor = (payload: object, { facts = someFacts(), range }: Source = {}) => {
  const parsed = elementOf("transcode")?.payload.parse({ location: { path: "/out" }, ...payload });
  const inputs = [{ version: "src", files: [{ uri: "file:///in/film.mov", facts }], range }];
  return { uid: "tc", payload: parsed, job: { id: 7, name: "j" }, inputs, factsOf: () => undefined };
};

const planned = (payload: object, source?: Source) => {
  const plan = elementOf("transcode")?.plan(contextFor(payload, source));
  if (!plan || "need" in plan) throw new Error("facts are missing");
  return plan.tasks;
};

const compiled = (payload: object, source?: Source): Work => {
  const [task] = planned(payload, source);
  const work = task && elementOf("transcode")?.compile(task, contextFor(payload, source));
  if (!work) throw new Error("nothing was planned");
  return work;
};

/** The words of each step after those that every command begins with. */
const commands = (payload: object, source?: Source) => {
  const common = [...ffmpegHead, ...safeInput("film.mov")];
  return compiled(payload, source).steps.map((step) => {
    if (step.do !== "ffmpeg") throw new Error(`unexpected step ${step.do}`);
    expect(step.argv.slice(0, common.length)).toEqual(common);
    return step.argv.slice(common.length);
  });
};

const refusal = (payload: object, source?: Source) => {
  try {
    planned(payload, source);
  } catch (thrown) {
    if (thrown instanceof TaskError) return `${thrown.failure.cause}: ${thrown.message}`;
    throw thrown;
  }
  return "accepted";
};

const h264 = { codec: "h264" };
const target = (video: object, more: object = {}) => ({ targets: [{ file_pattern: "x.mp4", video, ...more }] });

/** The value of `-name` in the first command. */
const optionOf = (name: string, payload: object, source?: Source) => {
  const [words = []] = commands(payload, source);
  return words.includes(name) ? words[words.indexOf(name) + 1] : undefined;
};
const graphOf = (payload: object, source?: Source) => optionOf("-filter_complex", payload, source);

const demo = {
  targets: [
    {
      ...{ uid: "hd", file_pattern: "{source_basename}_720p{default_extension}", existing_files: "replace" },
      ...{ container: { kind: "mp4" }, video: { codec: "h264", width: "1280", height: 720, bitrate_kb: 3000 } },
      audio: [{ codec: "aac", channels: 2, bitrate_kb: 128, language: "en" }],
    },
    {
      ...{ file_pattern: "{source_basename}_360p", container: { kind: "mp4", faststart: false } },
      ...{ video: { codec: "h264", height: 360, crf: 23, preset: "fast" }, audio: [{ codec: "aac", channels: 2 }] },
    },
    { file_pattern: "thumb_%05d.jpg", video: { codec: "jpeg", width: 320, image_sequence: { total_number: 6 } } },
  ],
};

describe("a transcode of several targets", () => {
  test("asks for a probe of its source first", () => {
    const inputs = [{ version: "src", files: [{ uri: "file:///in/film.mov" }] }];
    const plan = elementOf("transcode")?.plan({ ...contextFor(demo), inputs });
    expect(plan).toEqual({ need: [{ fact: "probe", uri: "file:///in/film.mov" }] });
  });

  test("is one full task that names what a node must be able to do", () => {
    const [task, ...more] = planned(demo);
    expect(more).toEqual([]);
    expect({ ...task, detail: null }).toEqual({
      ...{ uid: "tc", name: "tc", weight: "full", demand: { memory: 768_000_000 }, detail: null },
      requires: [
        ...["ffmpeg", "ffprobe", "encoder:libx264", "encoder:aac", "encoder:mjpeg", "muxer:mp4", "muxer:image2"],
        ...["filter:split", "filter:scale", "filter:format", "filter:setsar", "filter:select", "filter:setparams"],
        ...["filter:aresample", "filter:aformat", "filter:asplit", "filter:anull"],
      ],
    });
  });

  test("is stored as JSON and compiled from it", () => {
    const [task] = planned(demo);
    const stored = JSON.parse(JSON.stringify(task));
    expect(elementOf("transcode")?.compile(stored, contextFor(demo))).toEqual(compiled(demo));
  });

  test("decodes once in one command", () => {
    const exact = "flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp";
    const slots = "floor((t-(-0.010417))/5)\\,floor((prev_selected_t-(-0.010417))/5)";
    expect(commands(demo)).toEqual([
      [
        ...["-i", { asset: "source" }, "-filter_complex"],
        [
          "[0:0]split=outputs=2[v0_in][v2_in]",
          "[v0_in]scale=w=1280:h=720:flags=bicubic,format=pix_fmts=yuv420p,split=outputs=2[v0_own][v1_in]",
          "[v0_own]setsar=sar=1,format=pix_fmts=yuv420p[v0]",
          "[v1_in]scale=w=640:h=360:flags=bicubic,setsar=sar=1,format=pix_fmts=yuv420p[v1]",
          `[v2_in]select=expr=gte(t\\,-0.010417)*(isnan(prev_selected_t)+gt(${slots})),` +
            "scale=w=320:h=180:flags=bicubic,setsar=sar=1," +
            `scale=in_color_matrix=bt709:in_range=tv:out_range=pc:${exact},format=pix_fmts=gbrp,` +
            `scale=in_range=pc:out_color_matrix=bt470:out_range=pc:${exact},` +
            "setparams=range=pc:colorspace=bt470bg,format=pix_fmts=yuvj420p[v2]",
          "[0:1]aresample=async=1:first_pts=0,aformat=channel_layouts=stereo,asplit=outputs=2[a0_0_in][a1_0_in]",
          "[a0_0_in]anull[a0_0]",
          "[a1_0_in]anull[a1_0]",
        ].join(";"),
        ...["-map", "[v0]", "-c:v", "libx264", "-b:v", "3000000", "-fps_mode:v", "passthrough"],
        ...["-map", "[a0_0]", "-c:a:0", "aac", "-b:a:0", "128000", "-metadata:s:a:0", "language=eng"],
        ...["-map_metadata", "-1", "-map_chapters", "-1", "-movflags", "+faststart", "-write_tmcd", "0"],
        ...["-f", "mp4", { out: "t0" }],
        ...["-map", "[v1]", "-c:v", "libx264", "-preset:v", "fast", "-crf:v", "23", "-fps_mode:v", "passthrough"],
        ...["-map", "[a1_0]", "-c:a:0", "aac"],
        ...["-map_metadata", "-1", "-map_chapters", "-1", "-write_tmcd", "0", "-f", "mp4", { out: "t1" }],
        ...["-map", "[v2]", "-c:v", "mjpeg", "-q:v", "3", "-fps_mode:v", "passthrough"],
        ...["-map_metadata", "-1", "-map_chapters", "-1", "-frames:v", "6", "-start_number", "0"],
        ...["-f", "image2", { out: "t2" }],
      ],
    ]);
  });

  test("names the folder of its temporary files and what they begin with, also relative to its own", () => {
    const temps = (target: object, location: object = { path: "/out" }) => {
      const [first] = demo.targets;
      return compiled({ location, targets: [{ ...first, ...target }] }).outputs.t0?.temp;
    };
    expect(temps({})).toBeUndefined();
    expect(temps({ temp_location: { path: "/fast" } })).toEqual({ folder: "file:///fast" });
    expect(temps({ temp_location: { storage_provider: "relative", path: "tmp" }, temp_file_prefix: "x-" })).toEqual({
      folder: "file:///out/tmp",
      prefix: "x-",
    });
    expect(() => temps({ temp_file_prefix: "../x" })).toThrow("temp_file_prefix is not a valid name prefix");
  });

  test("says what each output must turn out to be", () => {
    const timeline = (width: number, height: number) => ({
      video: { codec: "h264", width, height, frames: { count: 720, tolerance: 3 } },
      ...{ audio: [{ codec: "aac", channels: 2 }], duration: { seconds: 30, tolerance: 0.5 } },
    });
    const common = { folder: "file:///out", existing: "fail" };
    const { assets, outputs } = compiled(demo);
    expect(assets).toEqual({ source: { uri: "file:///in/film.mov" } });
    expect(outputs).toEqual({
      t0: {
        ...common,
        version: "hd",
        name: "film_720p.mp4",
        isSequence: false,
        existing: "replace",
        expect: timeline(1280, 720),
        layer: { audio: [{ language: "eng" }] },
      },
      t1: { ...common, version: "target_1", name: "film_360p.mp4", isSequence: false, expect: timeline(640, 360) },
      t2: {
        ...{ ...common, version: "target_2", name: "thumb_%05d.jpg", isSequence: true },
        expect: { video: { codec: "mjpeg", width: 320, height: 180 }, files: 6 },
      },
    });
  });
});

describe("a part of the source", () => {
  const payload = target(h264, { audio: [{ codec: "aac" }] });

  test("is read from some seconds before and cut at the frame", () => {
    expect(commands(payload, { range: { from: ratio(10), to: ratio(12) } })[0]?.slice(0, 9)).toEqual([
      ...["-noaccurate_seek", "-ss", "8", "-itsoffset", "-2", "-i", { asset: "source" }, "-filter_complex"],
      "[0:0]trim=start=-0.010417:end=1.989583,setsar=sar=1,format=pix_fmts=yuv420p[v0];" +
        "[0:1]atrim=start=0:end=2,aresample=async=1:first_pts=0[a0_0]",
    ]);
  });

  test("begins with the nearest frame, sound and all", () => {
    const words = commands(payload, { range: { from: ratio(1001, 100) } })[0] ?? [];
    expect(words.slice(0, 5)).toEqual(["-noaccurate_seek", "-ss", "8", "-itsoffset", "-2"]);
  });

  test("ends where the source ends", () => {
    const work = compiled(payload, { range: { from: ratio(28), to: ratio(99) } });
    expect(work.outputs.t0?.expect?.duration).toEqual({ seconds: 2, tolerance: 0.5 });
  });

  test("whole, the priming of Matroska's sound is not counted", () => {
    const audio = [someAudio({ start: ratio(-21, 1000) })];
    const facts = someFacts({ format: "matroska,webm", start: ratio(-21, 1000), duration: ratio(30021, 1000), audio });
    expect(commands(payload, { facts })[0]?.slice(0, 6)).toEqual([
      ...["-itsoffset", "-0.021", "-i", { asset: "source" }, "-filter_complex"],
      "[0:0]trim=start=-0.010417,setsar=sar=1,format=pix_fmts=yuv420p[v0];" +
        "[0:1]atrim=start=0,aresample=async=1:first_pts=0[a0_0]",
    ]);
  });

  test("behind the source's end is refused", () => {
    expect(refusal(payload, { range: { from: ratio(40) } })).toBe(
      "definition: tc: the range begins at 40 s, its source ends at 30 s",
    );
  });
});

describe("trims of several places", () => {
  const openings = (payload: object, source?: Source) =>
    commands(payload, source).map((words) => {
      const graph = words[words.indexOf("-filter_complex") + 1];
      return [...words.slice(0, words.indexOf("-i")), /trim=[^,]*/.exec(String(graph))?.[0]];
    });
  const trimmed = (file_pattern: string, trim?: object) => ({ file_pattern, video: h264, trim });

  test("follow on one another: source, pipeline, target", () => {
    const payload = {
      targets: [trimmed("x.mp4", { inpoint_frame: 24, duration_frames: 48 })],
      source_pipeline: { trim: { inpoint_sec: 2, outpoint_tc: "00:00:10:00" } },
    };
    expect(openings(payload, { range: { from: ratio(10), to: ratio(25) } })).toEqual([
      ["-noaccurate_seek", "-ss", "11", "-itsoffset", "-2", "trim=start=-0.010417:end=1.989583"],
    ]);
  });

  test("never reach beyond the one before", () => {
    const payload = { targets: [trimmed("x.mp4", { inpoint_sec: 1, outpoint_sec: 100 })] };
    expect(openings(payload, { range: { from: ratio(10), to: ratio(12) } })[0]?.at(-1)).toBe(
      "trim=start=-0.010417:end=0.989583",
    );
  });

  test("targets that are cut alike share a decode, others have one of their own", () => {
    const [one, other] = [{ inpoint_sec: 1, duration_sec: 1 }, { inpoint_sec: 20 }];
    const targets = [trimmed("a.mp4", one), trimmed("b.mp4"), trimmed("c.mp4", one), trimmed("d.mp4", other)];
    const { assets, steps, outputs } = compiled({ targets });
    expect(Object.keys(assets)).toEqual(["source"]);
    expect(Object.values(outputs).map(({ name }) => name)).toEqual(["a.mp4", "c.mp4", "b.mp4", "d.mp4"]);
    expect(steps.map(({ id }) => id)).toEqual(["transcode", "transcode_1", "transcode_2"]);
    expect(openings({ targets }).map((words) => words.at(-1))).toEqual([
      ...["trim=start=-0.010417:end=0.989583", undefined, "trim=start=-0.010417"],
    ]);
  });
});

describe("a picture's size", () => {
  const size = (video: object, source?: VideoFacts) => {
    const facts = someFacts(source && { video: [source] });
    return /(?:scale=(w=\d+:h=\d+).*?)?(?:(crop=\S*?|pad=\S*?),)?setsar=sar=([\d/]+)/
      .exec(String(graphOf(target({ ...h264, ...video }), { facts })))
      ?.slice(1);
  };

  test.each([
    ["nothing given: the source's", {}, [undefined, undefined, "1"]],
    ["a height: the width follows", { height: 480 }, ["w=854:h=480", undefined, "1"]],
    ["a width and a modulus", { width: 1000, height_modulus: 16 }, ["w=1000:h=560", undefined, "1"]],
    ["another shape: bars", { width: 720, height: 480 }, ["w=720:h=406", "pad=w=720:h=480:x=0:y=36", "1"]],
    [
      "another shape: cropped",
      { width: 720, height: 480, ar_pad_crop_ratio: 0 },
      ["w=854:h=480", "crop=w=720:h=480", "1"],
    ],
    ["pixels that are not square", { width: 1440, height: 1080, par: "4:3" }, ["w=1440:h=1080", undefined, "4/3"]],
    ["a display aspect", { width: 720, height: 576, dar: "16/9" }, ["w=720:h=576", undefined, "64/45"]],
  ])("%s", (_name, video, expected) => {
    expect(size(video)).toEqual(expected);
  });

  test("squares the pixels of an anamorphic source where that fits", () => {
    const pal = aVideo({ width: 720, height: 576, pixelAspect: ratio(64, 45) });
    expect(size({ width: 1024, height: 576 }, pal)).toEqual(["w=1024:h=576", undefined, "1"]);
    expect(size({ height: 288 }, pal)).toEqual(["w=360:h=288", undefined, "64/45"]);
  });

  test("after a crop keeps its size, with bars or distorted", () => {
    const filters = [{ kind: "crop", payload: { top: 140, bottom: 140, use_source_dimensions: true } }];
    const cropped = (ar_auto_crop: string) => String(graphOf(target({ ...h264, height: 400, ar_auto_crop, filters })));
    expect(cropped("none")).toContain("scale=w=960:h=400:flags=bicubic,setsar");
    expect(cropped("distorted")).toContain("scale=w=712:h=400:flags=bicubic,setsar");
    expect(cropped("preserving")).toContain("scale=w=712:h=296:flags=bicubic,pad=w=712:h=400:x=0:y=52,setsar");
  });

  test.each([
    ["av1", "mp4", "64x64"],
    ["dnxhd", "mov", "256x120"],
    ["jpeg2000", "mov", "32x32"],
  ])("that is smaller than %s has them is refused in words", (codec, kind, least) => {
    const video = { codec, width: 16, height: 16 };
    expect(refusal({ targets: [{ file_pattern: `a.${kind}`, container: { kind }, video }] })).toBe(
      `definition: tc.payload.targets[0].video: ${codec} has pictures of at least ${least}, not 16x16`,
    );
  });

  test("that is odd is refused where chroma is halved", () => {
    expect(refusal(target({ ...h264, width: 641, height: 360 }))).toBe(
      "definition: tc.payload.targets[0].video.width 641 is odd, yuv420p needs it even",
    );
  });
});

describe("a codec's options", () => {
  test("follow the delivery standard, which the job's fields override unless it is strict", () => {
    const tape = { file_pattern: "x.mxf", compliance: "xdcam_hd_422" };
    const words = (video: object, more: object = {}) => String(commands({ targets: [{ ...tape, ...more, video }] })[0]);
    expect(words({ bitrate_kb: 40_000 })).toContain("-b:v,40000000,");
    expect(words({ bitrate_kb: 40_000 }, { compliance_enforcement: "strict" })).toContain("-b:v,50000000,");
    expect(words({})).toMatch(/-c:v,mpeg2video,.*-g:v,15,.*-bf:v,2,.*-profile:v,0,-level:v,2,.*-dc:v,10,.*-f,mxf,/);
    expect(String(graphOf({ targets: [{ ...tape, video: {} }] }))).toContain("format=pix_fmts=yuv422p");
    expect(refusal({ targets: [{ ...tape, compliance: "hmmp", video: {} }] })).toBe(
      'capability: tc.payload.targets[0].compliance "hmmp" is not implemented: it has no public description',
    );
    const intra = { ...tape, compliance: "xavc" };
    expect(String(commands({ targets: [{ ...intra, video: { frame_rate: 25 } }] })[0])).toMatch(
      /-x264-params:v,avcintra-flavor=sony,.*-avcintra-class:v,100,/,
    );
    expect(refusal({ targets: [{ ...intra, video: { width: 320, height: 180 } }] })).toBe(
      "definition: tc.payload.targets[0].video.width and height: the standard in compliance has pictures of 1920x1080 and 3840x2160, not 320x180",
    );
    expect(refusal({ targets: [{ ...intra, compliance: "avcintra", video: { frame_rate: 24 } }] })).toBe(
      "definition: tc.payload.targets[0].video.frame_rate: the standard in compliance has 24000/1001, 25, 30000/1001, 50, 60000/1001 frames a second at this size, not 24",
    );
  });

  test("takes ffmpeg's arguments as the fields that they stand for", () => {
    const made = { ...h264, crf: 20 };
    const words = (fields: object, video: object = made) => String(commands(target(video, fields))[0]);
    expect(words({ extenc_args: "-crf 30 -preset slow -bf 1" })).toMatch(/,-preset:v,slow,.*-bf:v,1,/);
    expect(words({ extenc_args: "-crf 30" })).toContain("-crf:v,20,");
    expect(words({ service_encoder_args: "-bf 2 -g 50", extenc_args: "-bf 1" })).toMatch(/,-g:v,50,.*-bf:v,1,/);
    expect(words({}, { ...made, extenc_args: "-crf 30" })).toContain("-crf:v,30,");
    const at = "definition: tc.payload.targets[0].extenc_args";
    const refused = (fields: object) => refusal(target(made, fields));
    expect(refused({ extenc_args: "-vf movie=/etc/passwd" })).toBe(`${at} may not set "-vf"`);
    expect(refused({ extenc_args: "-crf a" })).toBe(`${at}: -crf cannot have the value "a"`);
    expect(refused({ extenc_args: "-crf 30", extenc_args_compliance: "strict" })).toBe(
      `${at}: -crf contradicts video.crf`,
    );
  });

  const optionsOf = (video: object, more?: object) => {
    const words = commands(target(video, more))[0] ?? [];
    return words.slice(words.indexOf("-c:v") + 1, words.indexOf("-fps_mode:v"));
  };

  test("constant bit rate fills its buffer", () => {
    const video = {
      ...h264,
      bitrate_mode: "cbr",
      bitrate_kb: "2000",
      hrd_signaling: "encoder",
      max_bframes: 2,
      refs: 3,
    };
    expect(optionsOf(video)).toEqual([
      ...["libx264", "-b:v", "2000000", "-minrate:v", "2000000", "-maxrate:v", "2000000", "-bufsize:v", "2000000"],
      ...["-bf:v", "2", "-refs:v", "3", "-x264-params:v", "nal-hrd=cbr"],
    ]);
  });

  test("keyframes at an exact distance admit none at cuts", () => {
    const video = {
      ...h264,
      profile: "high",
      level: 4,
      tune: "film",
      idr_interval: { seconds: 2 },
      use_closed_gop: true,
    };
    expect(optionsOf(video)).toEqual([
      ...["libx264", "-tune:v", "film", "-profile:v", "high", "-level:v", "4.0", "-g:v", "48", "-keyint_min:v", "48"],
      ...["-sc_threshold:v", "0", "-x264-params:v", "open-gop=0"],
    ]);
  });

  test("h265 in MP4 carries Apple's tag", () => {
    const video = {
      codec: "h265",
      crf: "20",
      profile: "main10",
      x265_options: "aq-mode=3:no-sao=1",
      max_gop_frames: 50,
    };
    expect(optionsOf(video)).toEqual([
      ...["libx265", "-profile:v", "main10", "-crf:v", "20", "-g:v", "50", "-tag:v", "hvc1"],
      ...["-x265-params:v", "aq-mode=3:no-sao=1"],
    ]);
  });

  test.each(["stats=/etc/x", "qpfile=a", "csv=/tmp/x", "log-file=x", "ref=1:cqmfile=y"])(
    "raw option %s is refused",
    (raw) => {
      const name = raw.split(":").at(-1)?.split("=")[0];
      expect(refusal(target({ ...h264, x264_options: raw }))).toMatch(
        new RegExp(`^definition: tc.payload.targets\\[0\\].video.x264_options (may not set "${name}"|holds )`),
      );
    },
  );

  test("two passes are two commands that share a log", () => {
    const payload = target({ ...h264, bitrate_kb: 500 }, { nr_of_passes: "2", audio: [{ codec: "aac" }] });
    const [first = [], second = []] = commands(payload);
    const passes = (words: readonly unknown[]) => words.slice(words.indexOf("-pass:v"), words.indexOf("-pass:v") + 4);
    expect(passes(first)).toEqual(["-pass:v", "1", "-passlogfile:v", { scratch: "pass_t0" }]);
    expect(passes(second)).toEqual(["-pass:v", "2", "-passlogfile:v", { scratch: "pass_t0" }]);
    expect([first.slice(-3), second.slice(-3)]).toEqual([
      ["-f", "null", "-"],
      ["-f", "mp4", { out: "t0" }],
    ]);
  });
});

test("of several passes, those between the first and the last read and write the log", () => {
  const passes = (codec: string, word: RegExp) =>
    commands(target({ codec, bitrate_kb: 500 }, { nr_of_passes: 4 })).map((words) =>
      words.map((each, at) => `${each}=${words[at + 1]}`).find((each) => word.test(each)),
    );
  expect(passes("h264", /^-pass:v/)).toEqual([1, 3, 3, 2].map((pass) => `-pass:v=${pass}`));
  expect(passes("h265", /^pass=|^-x265-params/).map((each) => /pass=\d/.exec(each ?? "")?.[0])).toEqual(
    [1, 3, 3, 2].map((pass) => `pass=${pass}`),
  );
  expect(passes("vp9", /^-pass:v/)).toEqual([1, 2].map((pass) => `-pass:v=${pass}`));
});

test("the vendor's basic example becomes ProRes with sound and timecode", () => {
  const payload = {
    targets: [
      {
        ...{ file_pattern: "basic{default_extension}", existing_files: "rename_new" },
        container: { kind: "mov", enable_data_tracks: true },
        video: {
          ...{ codec: "prores", profile: "apch", width: 1920, height: 1080, frame_rate: 23.976 },
          mov_atoms: { use_clap: false, pasp: "1:1" },
        },
        audio: [
          {
            ...{ codec: "pcm", channels: 2, sample_rate: 48000, sample_size: 24, language: "eng" },
            track_name: "Stereo",
          },
        ],
        timecode: [{ source: "media", force_drop: false }],
      },
    ],
  };
  expect(commands(payload, { facts: someFacts({ timecode: "01:00:00:00" }), range: { from: ratio(1) } })).toEqual([
    [
      ...["-itsoffset", "-1", "-i", { asset: "source" }, "-filter_complex"],
      "[0:0]trim=start=-0.010417,fps=fps=24000/1001:start_time=0,setsar=sar=1,format=pix_fmts=yuv422p10le[v0];" +
        "[0:1]atrim=start=0,aresample=async=1:first_pts=0,aformat=sample_rates=48000:channel_layouts=stereo[a0_0]",
      ...["-map", "[v0]", "-c:v", "prores_ks", "-profile:v", "hq", "-vendor:v", "apl0", "-fps_mode:v", "passthrough"],
      ...[
        "-map",
        "[a0_0]",
        "-c:a:0",
        "pcm_s24le",
        "-metadata:s:a:0",
        "language=eng",
        "-metadata:s:a:0",
        "title=Stereo",
      ],
      ...["-metadata:s:a:0", "handler_name=Stereo", "-map_metadata", "-1", "-map_chapters", "-1"],
      ...["-timecode", "01:00:01:00", "-movflags", "+faststart", "-write_tmcd", "1", "-f", "mov", { out: "t0" }],
    ],
  ]);
});

describe("audio tracks", () => {
  const two = someFacts({ audio: [someAudio(), someAudio({ index: 2, channels: 2, language: "deu" })] });
  const maps = (audio: object[], facts?: MediaFacts) =>
    String(graphOf(target(h264, { audio }), { facts })).match(/\[0:[12]\]/g);

  test("take the source's track of the same place", () => {
    expect(maps([{ codec: "aac" }, { codec: "aac" }], two)).toEqual(["[0:1]", "[0:2]"]);
  });

  test("all take the only track of a source that has one", () => {
    expect(maps([{ codec: "aac" }, { codec: "aac", channels: 2 }])).toEqual(["[0:1]"]);
  });

  test("take the track they name", () => {
    expect(maps([{ codec: "aac", source: [{ track: 1 }] }], two)).toEqual(["[0:2]"]);
  });

  test("that the source does not have are refused, or left out when conditional", () => {
    const third = { codec: "aac", source: [{ track: 2 }] };
    expect(refusal(target(h264, { audio: [third] }), { facts: two })).toBe(
      "definition: tc.payload.targets[0].audio[0] needs audio track 2, the source has 2 audio tracks",
    );
    expect(maps([{ ...third, include_if_source_has: ["audio[2]"] }], two)).toBeNull();
  });
});

describe("a stream copy", () => {
  test("has no filters", () => {
    const payload = target({ codec: "copy" }, { audio: [{ codec: "copy" }] });
    expect(commands(payload)[0]?.slice(0, 10)).toEqual([
      ...["-i", { asset: "source" }, "-map", "0:0", "-c:v", "copy", "-map", "0:1", "-c:a:0", "copy"],
    ]);
  });

  test("contradicts a new size, which a relaxed target lets go", () => {
    const video = { codec: "copy", width: 640 };
    expect(refusal(target(video, { parameter_compliance: "strict" }))).toBe(
      "definition: tc.payload.targets[0].video.width cannot be applied to a stream that is copied",
    );
    expect(refusal(target(video))).toBe("accepted");
  });
});

describe("refused by name is", () => {
  const at = "tc.payload.targets[0]";

  test.each([
    [
      "a trim beyond the source",
      target(h264, { trim: { inpoint_sec: 31 } }),
      `definition: ${at}.trim begins at 31 s, its source ends at 30 s`,
    ],
    [
      "interlaced output of a codec without fields",
      target({ codec: "h265", interlace_mode: "tff" }),
      `definition: ${at}.video.interlace_mode tff: h265 has progressive here`,
    ],
    [
      "a container to come",
      target(h264, { container: { kind: "dvbsub" } }),
      `capability: ${at}.container.kind "dvbsub" is not implemented yet`,
    ],
    [
      "a codec that the container cannot hold",
      target({ codec: "prores" }),
      `definition: ${at}.video.codec "prores": a .mp4 file cannot hold prores`,
    ],
    [
      "another codec's field",
      target({ ...h264, qscale: 3 }, { parameter_compliance: "strict" }),
      `definition: ${at}.video.qscale means nothing to h264`,
    ],
    [
      "a flag outside the list",
      target(h264, { container: { kind: "mp4", movflags: "+rtphint" } }),
      `definition: ${at}.container.movflags may not set "rtphint"`,
    ],
    ["an empty target", { targets: [{ file_pattern: "x.mp4" }] }, `definition: ${at} has neither video nor audio`],
    [
      "a name that two targets write",
      { targets: [...target(h264).targets, ...target(h264).targets] },
      "definition: tc has two targets that write file:///out/x.mp4",
    ],
  ])("%s", (_name, payload, expected) => {
    expect(refusal(payload)).toBe(expected);
  });

  test("a value outside the specification's lists", () => {
    expect(elementOf("transcode")?.payload.safeParse(target({ codec: "h266" })).success).toBe(false);
  });
});
