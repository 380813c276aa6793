import { describe, expect, test } from "vitest";
import { argsOf, refusalOf, videoFilters, workOf } from "../../../helpers/media/transcode-words.ts";

const video = (filters: readonly object[], more: object = {}) => ({
  ...{ file_pattern: "x.mkv", video: { codec: "h264", chroma_format: "yuv420p", filters, ...more } },
});
const audio = (filters: readonly object[], more: object = {}) => ({
  ...{ file_pattern: "x.wav", audio: [{ codec: "pcm", filters, ...more }] },
});

/** The graph of each command. */
const graphs = (target: object, film?: Parameters<typeof argsOf>[1]) =>
  argsOf(target, film).map((args) => args[args.indexOf("-filter_complex") + 1]);

const always = "setsar=sar=1,format=pix_fmts=yuv420p";

describe("a filter of pictures", () => {
  test("stands where its kind usually does", () => {
    const filters = [
      { kind: "fade", payload: { duration_sec: 0.2 } },
      { kind: "gaussian_blur", payload: { radius: 2 } },
      { kind: "crop", payload: { left: 16, use_source_dimensions: true } },
      { kind: "deinterlace", payload: {} },
    ];
    const target = video(filters, { width: 640, height: 360, frame_rate: 12.5, ar_max_distortion: 1 });
    expect(videoFilters(target)).toBe(
      [
        ...[
          "bwdif=mode=send_frame:parity=auto:deint=all",
          "fps=fps=25/2:start_time=0",
          "crop=w=1904:h=1080:x=16:y=0:exact=1",
        ],
        ...[
          "scale=w=640:h=360:flags=bicubic",
          "fade=type=in:start_time=0:duration=0.2",
          "gblur=sigma=2:steps=6",
          always,
        ],
      ].join(","),
    );
  });

  test.each([
    ["pre_analyze", ["gblur", "fps", "scale"]],
    ["pre_normalize", ["gblur", "fps", "scale"]],
    ["post_normalize", ["fps", "gblur", "scale"]],
    ["pre_convert", ["fps", "gblur", "scale"]],
    ["post_convert", ["fps", "scale", "gblur"]],
    ["default", ["fps", "scale", "gblur"]],
  ])("stands where its position %s says", (position, order) => {
    const filters = [{ kind: "gaussian_blur", payload: { radius: 1 }, options: { position } }];
    const words = videoFilters(video(filters, { width: 640, height: 360, frame_rate: 12.5 }));
    const names = words.split(",").map((word) => word.split("=")[0]);
    expect(names.filter((name) => order.includes(name ?? ""))).toEqual(order);
  });

  test("is left out where its conditions do not hold, and changed by its overrides", () => {
    const filters = [
      { kind: "gaussian_blur", payload: { radius: 1 }, include_conditions: ["source.video.height > 2000"] },
      { kind: "gaussian_blur", payload: { radius: 2 }, overrides: { radius: "source.video.width / 480" } },
    ];
    expect(videoFilters(video(filters))).toBe(`gblur=sigma=4:steps=6,${always}`);
  });

  test("that deinterlaces takes the place of what the farm would do itself", () => {
    const interlaced = { video: { fieldOrder: "tt" } };
    const filters = [{ kind: "deinterlace", payload: { interlace_mode: "frame_metadata" } }];
    expect(videoFilters(video(filters), interlaced)).toBe(
      `bwdif=mode=send_frame:parity=auto:deint=interlaced,${always}`,
    );
  });

  test("motion compensation takes the filter that some nodes have", () => {
    const payload = { motion_compensation: true, motion_compensation_quality: "high" };
    expect(videoFilters(video([{ kind: "deinterlace", payload }]), { video: { fieldOrder: "bb" } })).toBe(
      "format=pix_fmts=yuv420p,yadif=mode=send_field:parity=bff:deint=all,mcdeint=mode=slow:parity=bff," +
        `framestep=step=2,${always}`,
    );
  });

  test("keeps whole chroma samples, and the lines of both fields", () => {
    const filters = [{ kind: "crop", payload: { left: 3, top: 3, use_source_dimensions: true } }];
    const cropped = (pixelFormat: string, fieldOrder = "progressive") =>
      /crop=[^,]*/.exec(
        videoFilters(video(filters, { codec: "mpeg2", chroma_format: undefined, level: "HL" }), {
          video: { pixelFormat, fieldOrder },
        }),
      )?.[0];
    expect([cropped("yuv420p"), cropped("yuv422p"), cropped("yuv444p"), cropped("yuv420p", "tt")]).toEqual([
      "crop=w=1916:h=1076:x=4:y=4:exact=1",
      "crop=w=1916:h=1077:x=4:y=3:exact=1",
      "crop=w=1917:h=1077:x=3:y=3:exact=1",
      "crop=w=1916:h=1076:x=4:y=4:exact=1",
    ]);
  });

  test("is refused by its path where it cannot be", () => {
    const refused = (kind: string, payload: object) => refusalOf(video([{ kind, payload }]));
    const at = "target.video.filters[0].payload";
    expect([
      refused("crop", { left: "auto" }),
      refused("crop", { left: "60%", right: "60%" }),
      refused("crop", { left: "text_w" }),
      refusalOf(audio([{ kind: "level", payload: { factor: 1, level_db: 2 } }])),
    ]).toEqual([
      `${at}.left auto needs an analyze element with black_borders before this one`,
      `${at} leaves -384x1080 of 1920x1080 pixels`,
      `${at}.left "text_w" is not a number of pixels`,
      "target.audio[0].filters[0].payload has both factor and level_db",
    ]);
  });
});

describe("a filter of sound", () => {
  test("filters of sound stand in their order, behind mixing and resampling, or where they are told to", () => {
    const filters = [
      { kind: "level", payload: { factor: 0.5 } },
      { kind: "fade", payload: { mode: "out", duration_sec: 0.25 } },
      { kind: "level", payload: { level_db: -3 }, options: { position: "pre_normalize" } },
    ];
    expect(graphs(audio(filters, { channels: 1, sample_rate: 44100 }))).toEqual([
      "[0:1]aresample=async=1:first_pts=0,volume=volume=-3dB:precision=double," +
        "aformat=sample_rates=44100:channel_layouts=mono,volume=volume=0.5:precision=double," +
        "afade=type=out:start_time=0.75:duration=0.25:curve=tri[a0_0]",
    ]);
  });

  test("that needs loudness has it measured by a command of its own first, in the same attempt", () => {
    const filters = [{ kind: "normalize", payload: { kind: "ebur128", payload: { integrated_lufs: -24 } } }];
    const { steps } = workOf(audio(filters));
    const onlyIf = { result: "measured_0", figure: "truePeak", over: "integrated", by: 23 };
    expect(steps.map((step) => [step.id, step.do === "ffmpeg" && step.onlyIf])).toEqual([
      ["measured_0", undefined],
      // What the limiter takes away is measured and corrected, where there is something to limit.
      ...["measured_1", "measured_2", "measured_3", "measured_4", "measured_5"].map((id) => [id, onlyIf]),
      ["transcode", undefined],
    ]);
    const words = steps.map((step) => (step.do === "ffmpeg" ? step.argv : []));
    const measured = (path: string, id = "measured_0") => ({ of: { result: id, path: [path] }, context: "filter" });
    const isLimited = [measured("truePeak"), "-(", measured("integrated"), ")\\,23)"];
    const oversampled = ["+(192000-48000)*gt(", "+(0.860994-1)*gt("];
    const graph = (at: number) => JSON.stringify(words.at(at)?.[(words.at(at)?.indexOf("-filter_complex") ?? 0) + 1]);
    expect(words[0]?.[words[0].indexOf("-filter_complex") + 1]).toEqual({
      parts: [
        "[0:1]aresample=async=1:first_pts=0,ebur128=metadata=1:framelog=verbose,aresample=osr=192000," +
          "astats=metadata=1:measure_perchannel=none:measure_overall=Peak_level,ametadata=mode=print:file=",
        { of: { scratch: "measured_0" }, context: "filter" },
        "[a0_0]",
      ],
    });
    for (const part of [...isLimited, measured("integrated", "measured_3")])
      expect(graph(-1)).toContain(JSON.stringify(part).slice(1, -1));
    for (const part of oversampled) expect(graph(-1)).toContain(part);
    expect(words[0]?.slice(-5)).toEqual(["-map", "[a0_0]", "-f", "null", "-"]);
  });

  test("is measured once for all tracks that need the same", () => {
    const one = {
      codec: "pcm",
      source: [{ track: 0 }],
      filters: [{ kind: "normalize", payload: { kind: "peak", payload: { peak_level_db: -3 } } }],
    };
    const ids = workOf({ file_pattern: "x.mov", audio: [one, one] }).steps.map(({ id }) => id);
    expect(ids).toEqual(["measured_0", "transcode"]);
  });

  test("by the vendor's meter is measured by gates of level; what only that meter can do is refused by name", () => {
    const refused = (payload: object) =>
      refusalOf(audio([{ kind: "normalize", payload: { kind: "dolby_professional_loudness", payload } }]));
    const at = "target.audio[0].filters[0].payload.payload";
    expect([refused({ correction_mode: "metadata_update" }), refused({ regulation_type: "manual" })]).toEqual([
      `${at}.correction_mode "metadata_update" is not implemented yet`,
      `${at} is manual and has no loudness_target`,
    ]);
  });
});

describe("what a filter reads beside its track", () => {
  const withFacts = { image_file: { url: "/in/logo.png" } };

  test("is probed first where it is a picture", () => {
    expect(() => workOf(video([{ kind: "image_overlay", payload: withFacts }]))).toThrow("nothing was planned");
  });

  test("a chain in ffmpeg's words is parsed, and what is not on the list refused", () => {
    const chain = (extenc_filter: string) => video([{ kind: "extenc", payload: { extenc_filter } }]);
    const at = "target.video.filters[0].payload.extenc_filter";
    expect(videoFilters(chain("eq=contrast=1.1:gamma=0.9, unsharp=5:5:0.5 ,drawbox=x=1:y=2:color='red@0.5'"))).toBe(
      `eq=contrast=1.1:gamma=0.9,unsharp=lx=5:ly=5:la=0.5,drawbox=x=1:y=2:color=red@0.5,${always}`,
    );
    expect([
      refusalOf(chain("movie=/etc/passwd")).slice(0, 80),
      refusalOf(chain("hflip[a];[a]vflip")).slice(0, 80),
      refusalOf(chain("drawbox=x=1:box_source=a")),
      refusalOf(chain("eq=contrast=random(1)")),
      refusalOf(chain("lut3d=file=/etc/passwd")),
    ]).toEqual([
      `${at}: the filter "movie" is not allowed; all`.slice(0, 80),
      `${at}: the filter "hflip[a];[a]vflip" is not allowed`.slice(0, 80),
      `${at}: drawbox has no option "box_source" here`,
      `${at}: eq=contrast cannot have the value "random(1)"`,
      `${at}: lut3d=file: "/etc/passwd" is not one of the support_files`,
    ]);
  });

  test("is put into the attempt's folder first, each file once", () => {
    const timecode = { kind: "print_timecode", payload: { font: "serif", font_color: "white" } };
    const lut = { kind: "color_convert", payload: { lut_file: { url: "/in/look.cube" } } };
    const { assets, steps } = workOf(video([timecode, timecode, lut]));
    expect(assets).toEqual({
      source: { uri: "file:///in/film.mov" },
      extra_0: { uri: "file:///in/look.cube" },
    });
    expect(steps.slice(0, -1)).toEqual([
      { do: "stage", id: "stage_file_0.cube", as: "file_0.cube", from: { asset: "extra_0" } },
      { do: "stage", id: "stage_DejaVuSerif.ttf", as: "DejaVuSerif.ttf", from: { bundled: "DejaVuSerif.ttf" } },
    ]);
  });

  test("a telecine is asked for by the rate of its frames, and what it makes is interlaced", () => {
    const filters = [{ kind: "telecine", payload: { pattern: 23 } }];
    const more = { codec: "mpeg2", chroma_format: "yuv422p", frame_rate: "29.97", width: 1280, height: 720 };
    expect(
      videoFilters(video(filters, more), {
        video: { frameRate: { num: 24, den: 1 }, averageFrameRate: { num: 24, den: 1 } },
      }),
    ).toBe(
      "fps=fps=24000/1001:start_time=0,scale=w=1280:h=720:flags=bicubic,telecine=first_field=top:pattern=23," +
        "setfield=mode=tff,setsar=sar=1,format=pix_fmts=yuv422p",
    );
  });

  test("prints letters for pictures of high dynamic range at the brightness of their preset", () => {
    // White of 300 nit is 0.62 of PQ's scale, and grey has no hue.
    const lut_preset = "r709_to_r2020_pq_300nit";
    const printed = (payload: object) =>
      JSON.stringify(workOf(video([{ kind: "print_timecode", payload: { lut_preset, ...payload } }])).steps);
    expect(printed({ font_color: "white" })).toContain("fontcolor=0x9f9f9fff");
    expect(printed({ font_color: "#ff0000", background_color: "black@0.5" })).toMatch(
      /fontcolor=0x925c3fff.*boxcolor=0x00000080/,
    );
    expect(refusalOf(video([{ kind: "print_timecode", payload: { lut_preset, font_color: "tomato" } }]))).toContain(
      "is not one of",
    );
  });
});
