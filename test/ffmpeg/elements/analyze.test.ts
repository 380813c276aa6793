import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { first } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const folder = scratchFolder();
const node = mediaNode(folder.path);
const file = (name: string) => join(folder.path, name);
afterAll(() => folder[Symbol.asyncDispose]());
const lossless = ["-c:v", "ffv1", "-c:a", "pcm_s16le"];

const analyzed = async (name: string, payload: object) => {
  const inputs = await node.assets({ kind: "asset_url", payload: { storage_provider: "file", url: file(name) } });
  // biome-ignore lint/suspicious/noExplicitAny: a tree of results, looked into by the assertions
  return (await node.results("analyze", payload, inputs)) as any;
};
const on = { enabled: true };

describe.skipIf(!hasTools)("analyze finds what a made signal has", () => {
  beforeAll(async () => {
    const video = (graph: string) => ["-f", "lavfi", "-i", graph];
    // A second of black at the beginning, half a second in the middle, 0.8 s at the end.
    const dark = "between(t,0,0.99)+between(t,1.8,2.29)+between(t,3.2,4)";
    await make(
      file("black.mkv"),
      ...video(`testsrc2=s=160x90:r=25:d=4,drawbox=c=black:t=fill:enable='${dark}'`),
      ...lossless,
    );
    await make(file("borders.mkv"), ...video("testsrc2=s=160x70:r=25:d=1,pad=176:90:8:12"), ...lossless);
    await make(
      file("interlaced.mkv"),
      ...video("gradients=s=160x96:r=50:d=2:speed=0.05:seed=7,tinterlace=mode=interleave_top"),
      ...lossless,
    );
    await make(file("progressive.mkv"), ...video("gradients=s=160x96:r=25:d=2:speed=0.05:seed=7"), ...lossless);
    await make(file("levels.mkv"), ...video("color=c=0x808080:s=64x64:r=25:d=1,format=yuv420p"), ...lossless);
    const sound = "sine=f=1000:r=48000:d=4,volume='if(between(t,1,2.5),0,1)':eval=frame,volume=18dB:eval=once";
    await make(file("silence.wav"), ...video(sound));
    await make(
      file("cuts.mkv"),
      ...video("testsrc2=s=160x90:r=25:d=1"),
      ...video("mandelbrot=s=160x90:r=25"),
      ...[...["-filter_complex", "[1]trim=duration=1,setpts=PTS-STARTPTS[b];[0][b]concat=n=2"], ...lossless],
    );
    // Both tones of the attention signal for three seconds, speech-like noise around them.
    const tone = "aevalsrc=0.2*sin(853*2*PI*t)+0.2*sin(960*2*PI*t):s=48000:d=3";
    const noise = "anoisesrc=c=pink:r=48000:d=2:a=0.2:seed=3";
    await make(
      file("alert.wav"),
      ...video(noise),
      ...video(tone),
      ...video(noise),
      ...[...["-filter_complex", "[0][1][2]concat=n=3:v=0:a=1"]],
    );
    await make(
      file("flashes.mkv"),
      ...video("color=c=white:s=160x90:r=25:d=3,drawbox=c=black:t=fill:enable='mod(n,4)'"),
      ...lossless,
    );
    await make(
      file("h264.mp4"),
      ...video("testsrc2=s=160x90:r=25:d=4"),
      "-c:v",
      "libx264",
      "-g",
      "25",
      "-sc_threshold",
      "0",
      "-bf",
      "2",
    );
  });

  test("black is found to the frame, with what leads and what trails", async () => {
    const { deep_properties } = await analyzed("black.mkv", {
      options: { response_version: 2 },
      deep_properties: { video: { black: { ...on, duration_sec: 0.4 } } },
    });
    const { events, max_sec, leading_sec, trailing_sec } = deep_properties.video.black;
    expect(events).toMatchObject([
      { begin: 0, end: 1 },
      { begin: 1.8, end: 2.32 },
      { begin: 3.2, end: 4 },
    ]);
    expect({ max_sec, leading_sec, trailing_sec }).toEqual({ max_sec: 1, leading_sec: 1, trailing_sec: 0.8 });
  });

  test("black borders are counted in pixels, and a picture without any has none", async () => {
    const asked = { deep_properties: { video: { black_borders: on } } };
    const framed = await analyzed("borders.mkv", asked);
    expect(framed.deep_properties.video.black_borders).toEqual({ left: 8, right: 8, top: 12, bottom: 8 });
    const full = await analyzed("progressive.mkv", asked);
    expect(full.deep_properties.video.black_borders).toEqual({ left: 0, right: 0, top: 0, bottom: 0 });
  });

  test("interlaced pictures are told from progressive ones, and which field comes first", async () => {
    const asked = { deep_properties: { video: { interlacing: on } } };
    const fields = (await analyzed("interlaced.mkv", asked)).deep_properties.video.interlacing;
    expect(fields.interlacing_ratio).toBeGreaterThan(0.9);
    expect(fields.tff).toBeGreaterThan(fields.bff);
    const frames = (await analyzed("progressive.mkv", asked)).deep_properties.video.interlacing;
    expect(frames.interlacing_ratio).toBeLessThan(0.1);
  });

  test("levels are the picture's own code values", async () => {
    const { deep_properties } = await analyzed("levels.mkv", { deep_properties: { video: { levels: on } } });
    const { luma, chroma_u: u } = deep_properties.video.levels;
    expect([luma.min.min, luma.max.max, u.average.mean]).toEqual([126, 126, 128]);
  });

  test("silence, levels and loudness of a tone are those of its formula", async () => {
    const { deep_properties } = await analyzed("silence.wav", {
      options: { response_version: 2 },
      deep_properties: { audio: [{ silence: { ...on, duration_sec: 1 }, levels: on, volume: on, ebur128: on }] },
    });
    const [sound] = deep_properties.audio;
    expect(sound.silence.events[0].begin).toBeCloseTo(1, 1);
    expect(sound.silence.events[0].end).toBeCloseTo(2.5, 1);
    // ffmpeg's sine has an amplitude of 1/8: -18.06 dBFS, brought to full scale by 18 dB.
    expect(sound.levels.peak_level_db).toBeCloseTo(-0.06, 1);
    expect(sound.volume.max_volume_db).toBe(sound.levels.peak_level_db);
    expect(sound.ebur128.true_peak_dbfs).toBeCloseTo(-0.06, 1);
  });

  // EBU Tech 3341, case 1 and 2: a stereo sine of 1 kHz at -23 and -33 dBFS.
  test.each(first([-23, -33]))("a stereo tone of %d dBFS has that loudness within 0.1 LU", async (level) => {
    const name = `tone${level}.wav`;
    const amplitude = 10 ** (level / 20);
    await make(
      file(name),
      "-f",
      "lavfi",
      "-i",
      `aevalsrc=${amplitude}*sin(1000*2*PI*t)|${amplitude}*sin(1000*2*PI*t):s=48000:d=6`,
      "-c:a",
      "pcm_s24le",
    );
    const { deep_properties } = await analyzed(name, { deep_properties: { audio: { ebur128: on } } });
    expect(Math.abs(deep_properties.audio[0].ebur128.integrated_lufs - level)).toBeLessThan(0.1);
  });

  // EBU Tech 3342, cases 1 to 4: stereo sines of 1 kHz, one level after the other, 20 s each.
  test.each(
    first([
      [10, [-20, -30]],
      [5, [-20, -15]],
      [20, [-40, -20]],
      [15, [-50, -35, -20, -35, -50]],
    ]),
  )("a loudness range of %d LU is found within 1 LU", async (range, levels) => {
    const name = `range${range}.wav`;
    const step = (level: number, at: number, rest: string) =>
      `if(lt(t,${20 * (at + 1)}),${10 ** (level / 20)},${rest})`;
    const gain = levels.reduceRight((rest, level, at) => step(level, at, rest), "0");
    const tone = `(${gain})*sin(1000*2*PI*t)`;
    const source = `aevalsrc=exprs='${tone}|${tone}':s=48000:d=${20 * levels.length}`;
    await make(file(name), "-f", "lavfi", "-i", source, "-c:a", "pcm_s24le");
    const { deep_properties } = await analyzed(name, { deep_properties: { audio: { ebur128: on } } });
    expect(Math.abs(deep_properties.audio[0].ebur128.loudness_lra_lufs - range)).toBeLessThanOrEqual(1);
  });

  test("atoms are listed as the style says, where a file has any", async () => {
    const atoms = async (style: string, name = "h264.mp4") => {
      const found = await analyzed(name, { general_properties: { mov_atom_descriptor_style: style } });
      return found.general_properties.container.mov_atoms;
    };
    const types = (list: { type: string }[]) => list.map(({ type }) => type);
    expect(types(await atoms("condensed"))).toEqual(["ftyp", "free", "mdat", "moov"]);
    const { movie, tracks } = await atoms("by_track");
    expect([types(movie), tracks[0].atoms]).toEqual([
      ["mvhd", "udta"],
      expect.arrayContaining(["tkhd", "edts/elst", "mdia/mdhd", "mdia/minf/stbl/stts"]),
    ]);
    const full = await atoms("full");
    expect(types(full.at(-1).atoms)).toEqual(["mvhd", "trak", "udta"]);
    const sizes = full.reduce((sum: number, { size }: { size: number }) => sum + size, 0);
    expect(sizes).toBe(statSync(file("h264.mp4")).size);
    expect(await atoms("full", "levels.mkv")).toBeUndefined();
  });

  test("a cut is the frame with the highest score", async () => {
    const { deep_properties } = await analyzed("cuts.mkv", {
      deep_properties: { video: { scene_change_score: { ...on, thresholds: [10], cutlist_threshold: 10 } } },
    });
    const { max_pos_frame, cutlist } = deep_properties.video.scene_change_score;
    expect(max_pos_frame).toBe(25);
    expect(cutlist[0]).toMatchObject({ frame: 25, pos_sec: 1 });
  });

  test("the attention tones of an emergency alert are an event, noise is none", async () => {
    const { deep_properties } = await analyzed("alert.wav", { deep_properties: { audio: { emergency_alert: on } } });
    const { events } = deep_properties.audio[0].emergency_alert;
    expect(events).toHaveLength(1);
    expect(events[0].signal).toBe("eas");
    expect(events[0].begin).toBeCloseTo(2, 0);
    expect(events[0].end).toBeCloseTo(5, 0);
  });

  test("flashing pictures do not pass, calm ones do", async () => {
    const asked = { deep_properties: { video: { pse: on } } };
    expect((await analyzed("flashes.mkv", asked)).deep_properties.video.pse.passed).toBe(false);
    expect((await analyzed("levels.mkv", asked)).deep_properties.video.pse.passed).toBe(true);
  });

  test("groups of pictures and rates are counted from the packets", async () => {
    const { deep_properties } = await analyzed("h264.mp4", {
      deep_properties: { video: { compressed_stats: { ...on, window_size: 1 } } },
    });
    const stats = deep_properties.video.compressed_stats;
    expect(stats).toMatchObject({ frames: 100, gops: 4, average_frames_per_gop: 25 });
    const packets = execFileSync(
      ffprobePath ?? "",
      ["-v", "error", "-show_entries", "packet=size", "-of", "csv=p=0", file("h264.mp4")],
      { encoding: "utf8", env: { ...process.env, GCONV_PATH: "/nonexistent" } },
    );
    const bytes = packets.split("\n").reduce((sum, line) => sum + Number.parseInt(line || "0", 10), 0);
    expect(stats.datarate_average.mean).toBeCloseTo((bytes * 8) / 1000 / 4, 0);
  });

  test("all analyses together are measured in one decode", async () => {
    const names = ["black", "black_borders", "interlacing", "levels", "blockiness", "complexity", "content_variance"];
    const video = Object.fromEntries([...names, "hdr_stats", "scene_change_score"].map((name) => [name, on]));
    const { general_properties, deep_properties } = await analyzed("h264.mp4", {
      general_properties: on,
      deep_properties: { video },
    });
    expect(general_properties.video).toMatchObject({ width: 160, height: 90, codec: "h264", frame_rate: 25 });
    expect(Object.keys(deep_properties.video).sort()).toEqual(Object.keys(video).sort());
    expect(deep_properties.video.complexity.frames).toBe(100);
    expect(deep_properties.video.hdr_stats).toEqual({ is_hdr: false, transfer: "unknown" });
  });

  test("a report on pages shows the picture from the middle of each sixth, in the same decode", async () => {
    const inputs = await node.assets({ kind: "asset_url", payload: { url: file("black.mkv") } });
    const payload = {
      deep_properties: { video: { black: on } },
      report: { location: { path: folder.path }, file_pattern: "stills.pdf" },
    };
    const { work } = await node.made("analyze", payload, inputs);
    expect(work.steps.filter((step) => step.do === "ffmpeg")).toHaveLength(1);
    expect(readFileSync(file("stills.pdf")).subarray(0, 5).toString()).toBe("%PDF-");
    if (!existsSync("/usr/bin/pdfimages"))
      return console.warn("Stills are not read back: there is no pdfimages (poppler-utils)");
    const list = execFileSync("/usr/bin/pdfimages", ["-list", file("stills.pdf")], { encoding: "utf8" });
    const sizes = list
      .split("\n")
      .slice(2, -1)
      .map((row) => row.trim().split(/\s+/).slice(3, 5).join("x"));
    expect(sizes).toEqual(Array.from({ length: 6 }, () => "320x180"));
    execFileSync("/usr/bin/pdfimages", ["-all", file("stills.pdf"), file("still")]);
    const lights = [0, 1, 2, 3, 4, 5].map((n) => {
      const words = [
        "-v",
        "error",
        "-i",
        file(`still-00${n}.jpg`),
        "-vf",
        "scale=1:1,format=gray",
        "-f",
        "rawvideo",
        "-",
      ];
      return (execFileSync(ffmpegPath ?? "", words)[0] ?? 0) > 40;
    });
    // Shown at 0.33, 1, 1.67, 2.33, 3 and 3.67 s of a film that is black until 1 s, from 1.8 to 2.3 s and from 3.2 s on.
    expect(lights).toEqual([false, true, true, true, true, false]);
    return undefined;
  });

  test("what the source lacks fails by name, and what is optional is left out", async () => {
    const black = { enabled: true, is_optional: false };
    await expect(analyzed("alert.wav", { deep_properties: { video: { black } } })).rejects.toThrow(
      "analyze.payload.deep_properties.video.black: the source has no picture",
    );
    const optional = { general_properties: on, deep_properties: { video: { black: { ...on, is_optional: true } } } };
    expect((await analyzed("alert.wav", optional)).deep_properties).toBeUndefined();
    const atmos = { deep_properties: { audio: { dolby_atmos: on } } };
    await expect(analyzed("alert.wav", atmos)).rejects.toThrow("needs a licensed analyser");
  });
});

describe.skipIf(!hasTools)("analyze measures odd media as they are", () => {
  const gray = "color=c=0x808080:s=64x64:r=25:d=0.2";
  const video = (graph: string, ...more: readonly string[]) => ["-f", "lavfi", "-i", graph, ...more];
  const found = async (name: string, asked: object) =>
    (await analyzed(name, { options: { response_version: 2 }, deep_properties: { video: asked } })).deep_properties
      .video;

  // Luma 126 of eight bits. ffmpeg alone would take eight bits of pictures with alpha, and another depth in each build of others.
  test.each(
    first([
      ["alpha.mov", "format=yuva444p10le", ["-c:v", "prores_ks", "-profile:v", "4444"], 12],
      ["rgb.mkv", "format=gbrp10le", ["-c:v", "ffv1"], 10],
      ["gray.mkv", "format=gray10le", ["-c:v", "ffv1"], 10],
      ["wide.mkv", "format=yuv440p10le", ["-c:v", "ffv1"], 10],
      ["packed.mov", "format=uyvy422", ["-c:v", "rawvideo"], 8],
    ]),
  )("levels of %s are those of its own depth", async (name, format, codec, bit_depth) => {
    await make(file(name), ...video(`${gray},${format}`), ...codec);
    const { levels } = await found(name, { black: on, black_borders: on, interlacing: on, levels: on, blockiness: on });
    const eight = levels.luma.average.mean / 2 ** (bit_depth - 8);
    expect(levels.bit_depth).toBe(bit_depth);
    expect(Math.abs(eight - (name === "gray.mkv" ? 128 : 126))).toBeLessThan(2.5);
  });

  test("light levels do not depend on what is measured beside them, nor on alpha or RGB; HLG has some as well", async () => {
    const transfer = (name: string) => ["-color_trc", name, "-color_primaries", "bt2020", "-colorspace", "bt2020nc"];
    const white = "color=c=white:s=64x64:r=25:d=0.2";
    const limited = "scale=out_range=tv,format=yuv422p10le";
    await make(file("pq.mkv"), ...video(`${white},${limited}`), "-c:v", "ffv1", ...transfer("smpte2084"));
    await make(file("hlg.mkv"), ...video(`${white},${limited}`), "-c:v", "ffv1", ...transfer("arib-std-b67"));
    await make(file("pqrgb.mkv"), ...video(`${white},format=gbrp12le`), "-c:v", "ffv1", "-color_trc", "smpte2084");
    const peaks: number[] = [];
    for (const name of ["pq.mkv", "pqrgb.mkv", "hlg.mkv"]) {
      const { hdr_stats } = await found(name, { hdr_stats: on, blockiness: on });
      expect(hdr_stats.is_hdr).toBe(true);
      peaks.push(Math.round(hdr_stats.max_cll / 100) * 100);
    }
    expect(peaks).toEqual([10_000, 10_000, 1000]);
  });

  test("complexity is on one scale for eight and for ten bits", async () => {
    const test = "testsrc2=s=64x64:r=25:d=0.2";
    await make(file("eight.mkv"), ...video(`${test},format=yuv420p`), "-c:v", "ffv1");
    await make(file("ten.mkv"), ...video(`${test},format=yuv420p10le`), "-c:v", "ffv1");
    const [eight, ten] = [await found("eight.mkv", { complexity: on }), await found("ten.mkv", { complexity: on })];
    expect(ten.complexity.spatial.mean / eight.complexity.spatial.mean).toBeCloseTo(1, 1);
    expect(ten.complexity.temporal.mean / eight.complexity.temporal.mean).toBeCloseTo(1, 1);
  });

  test("a single black frame lasts as long as its rate says, in both versions of the response", async () => {
    await make(file("one.mkv"), ...video("color=black:s=64x64:r=25"), "-frames:v", "1", ...lossless);
    const asked = { black: { ...on, duration_sec: 0 } };
    const { black } = await found("one.mkv", asked);
    expect(black).toMatchObject({ events: [{ begin: 0, end: 0.04 }], max_sec: 0.04, trailing_sec: 0.04 });
    const first = await analyzed("one.mkv", { deep_properties: { video: asked } });
    expect(first.deep_properties.video.black).toEqual({
      ...{ events: [{ pos_sec: 0, duration_sec: 0.04 }], max_sec: 0.04, leading_sec: 0.04, trailing_sec: 0.04 },
    });
  });

  test("sound of 50 ms has levels and peaks, and says that it is too short for a loudness", async () => {
    await make(file("short.wav"), ...video("sine=f=1000:r=48000:d=0.05,volume=18dB"));
    const { deep_properties } = await analyzed("short.wav", {
      deep_properties: { audio: { levels: on, ebur128: on } },
    });
    const [{ levels, ebur128 }] = deep_properties.audio;
    expect(levels.rms_peak_db).toBe(levels.rms_level_db);
    expect(levels.rms_trough_db).toBe(levels.rms_level_db);
    expect(ebur128).toMatchObject({ is_too_short: true, loudness_lra_lufs: 0 });
    expect(ebur128.true_peak_dbfs).toBeCloseTo(-0.06, 1);
    expect(ebur128.max_short_term_lufs).toBeUndefined();
  });

  test("a peak in the last tenth of a second counts; silence lasts up to the end, and the end adds nothing to loudness", async () => {
    const click = "sine=f=1000:r=48000:d=4.05,volume='if(lt(t,1),1,if(gt(t,4.03),8,0))':eval=frame:precision=double";
    await make(file("click.wav"), ...video(`${click},aformat=s16`));
    await make(file("whole.wav"), ...video(`${click},atrim=end=4,aformat=s16`));
    const asked = { deep_properties: { audio: { silence: { ...on, duration_sec: 1 }, ebur128: on } } };
    const [late, whole] = [await analyzed("click.wav", asked), await analyzed("whole.wav", asked)];
    expect(late.deep_properties.audio[0].ebur128.true_peak_dbfs).toBeCloseTo(-0.06, 0);
    expect(late.deep_properties.audio[0].ebur128.integrated_lufs).toBe(
      whole.deep_properties.audio[0].ebur128.integrated_lufs,
    );
    await make(file("quiet.wav"), ...video("sine=r=48000:d=2.05,volume='lt(t,1)':eval=frame"));
    const quiet = (await analyzed("quiet.wav", asked)).deep_properties.audio[0].silence;
    expect(quiet.events[0].pos_sec + quiet.events[0].duration_sec).toBeCloseTo(2.05, 3);
  });

  test("groups of pictures begin at zero, and a single picture has the rate of its own length", async () => {
    const frame = ["-c:v", "libx264", "-g", "5", "-bf", "2", "-sc_threshold", "0"];
    await make(file("groups.mp4"), ...video("testsrc2=s=64x64:r=25:d=0.4"), ...frame);
    const { gop_frame_size } = (await found("groups.mp4", { compressed_stats: on })).compressed_stats;
    expect([gop_frame_size.min_pos_sec, gop_frame_size.max_pos_sec].sort()).toEqual([0, 0.2]);
    await make(file("single.mp4"), ...video("testsrc2=s=64x64:r=25"), "-frames:v", "1", ...frame);
    const single = (await found("single.mp4", { compressed_stats: on })).compressed_stats;
    expect(single.datarate_average.mean).toBeCloseTo((single.gop_frame_size.mean * 8) / 1000 / 0.04, 3);
  });

  test("measurements of a selected track name it", async () => {
    const sines = ["-f", "lavfi", "-i", "sine=d=0.5", "-f", "lavfi", "-i", "sine=d=0.5,volume=-20dB"];
    await make(file("tracks.mkv"), ...sines, "-map", "0", "-map", "1", ...lossless);
    const selected = { track_selector: { index: 1 }, volume: on };
    const { deep_properties } = await analyzed("tracks.mkv", { deep_properties: { audio: [selected] } });
    expect(deep_properties.audio[0]).toMatchObject({ track_selector: { index: 1 } });
    expect(deep_properties.audio[0].volume.max_volume_db).toBeCloseTo(-38.06, 1);
    await expect(
      analyzed("tracks.mkv", { deep_properties: { audio: [{ ...selected, track_selector: { index: 7 } }] } }),
    ).rejects.toThrow("deep_properties.audio[0].volume: the source has no audio track 7: its tracks are 0 to 1");
  });

  test("a rate that varies is called so, and is the average", async () => {
    const graph = "testsrc2=s=64x64:r=30:d=2,select='not(mod(n,3))+gt(n,30)'";
    await make(file("vfr.mp4"), ...video(graph), "-fps_mode", "vfr", "-c:v", "libx264");
    const { general_properties } = await analyzed("vfr.mp4", { general_properties: on });
    expect(general_properties.video.frame_rate_mode).toBe("variable");
    expect(general_properties.video.frame_rate).toBeLessThan(22);
  });

  test("a picture that is turned has its borders where people see them", async () => {
    await make(
      file("lying.mp4"),
      ...video("testsrc2=s=96x64:r=25:d=0.2,drawbox=w=16:c=black:t=fill"),
      "-c:v",
      "libx264",
    );
    await make(file("turned.mp4"), "-display_rotation", "90", "-i", file("lying.mp4"), "-c", "copy");
    const { black_borders } = await found("turned.mp4", { black_borders: on });
    expect(black_borders).toMatchObject({ left: 0, top: 0, right: 0, bottom: 16 });
  });
});

describe.skipIf(!hasTools)("analyze compares two pictures", () => {
  const clip = (size: string, rate: number) => ["-f", "lavfi", "-i", `testsrc2=s=${size}:r=${rate}:d=2`];

  beforeAll(async () => {
    await make(file("master.mkv"), ...clip("320x180", 25), ...lossless);
    await make(file("coded.mp4"), "-i", file("master.mkv"), "-c:v", "libx264", "-crf", "38", "-preset", "veryfast");
    await make(
      file("late.mkv"),
      "-i",
      file("master.mkv"),
      "-vf",
      "trim=start_frame=1,setpts=PTS-STARTPTS",
      ...lossless,
    );
    await make(file("small.mkv"), "-i", file("master.mkv"), "-vf", "scale=160:90", ...lossless);
    await make(file("slow.mkv"), "-i", file("master.mkv"), "-vf", "fps=12.5", ...lossless);
  });

  const compared = async (name: string, wanted: readonly string[]) => {
    const compare_asset = { kind: "asset_url", payload: { storage_provider: "file", url: file("master.mkv") } };
    const video = Object.fromEntries(wanted.map((each) => [each, on]));
    return (await analyzed(name, { compare_asset, deep_properties: { video } })).deep_properties.video;
  };

  test("a file compared with itself has no noise", async () => {
    const { psnr, ssim } = await compared("master.mkv", ["psnr", "ssim"]);
    expect([psnr.mean, psnr.frames, ssim.mean]).toEqual([100, 50, 1]);
  });

  test("the figures are those of ffmpeg's own command", async () => {
    const { psnr, ssim } = await compared("coded.mp4", ["psnr", "ssim"]);
    const graph = "[0:v][1:v]psnr=stats_file=-[p];[0:v][1:v]ssim[s]";
    const maps = ["-map", "[p]", "-map", "[s]", "-f", "null", "-"];
    const words = [
      "-hide_banner",
      "-i",
      file("coded.mp4"),
      "-i",
      file("master.mkv"),
      "-filter_complex",
      graph,
      ...maps,
    ];
    const text = execFileSync(ffmpegPath ?? "", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const each = [...text.matchAll(/psnr_avg:([\d.]+)/g)].map(([, value]) => Number(value));
    expect(psnr.frames).toBe(each.length);
    expect(psnr.mean).toBeCloseTo(each.reduce((sum, value) => sum + value, 0) / each.length, 1);
    expect(ssim.mean).toBeGreaterThan(0.5);
    expect(ssim.mean).toBeLessThan(0.999);
  });

  test("one frame's offset is seen", async () => {
    const { psnr } = await compared("late.mkv", ["psnr"]);
    expect(psnr.mean).toBeLessThan(40);
  });

  test("another size and another rate are made alike before they are compared", async () => {
    const small = await compared("small.mkv", ["psnr"]);
    expect(small.psnr.frames).toBe(50);
    expect(small.psnr.mean).toBeLessThan(40);
    const slow = await compared("slow.mkv", ["psnr"]);
    expect(slow.psnr.frames).toBe(25);
    expect(slow.psnr.mean).toBeGreaterThan(40);
  });

  test("VMAF falls with the quality", async () => {
    const [same, coded] = [await compared("master.mkv", ["vmaf"]), await compared("coded.mp4", ["vmaf"])];
    expect(same.vmaf.mean).toBeGreaterThan(95);
    expect(coded.vmaf.mean).toBeLessThan(same.vmaf.mean - 2);
    expect(coded.vmaf).toMatchObject({ model: "vmaf_v0.6.1", frames: 50 });
  });

  test("the noise of sound is the level of its difference, per channel", async () => {
    const tone = (gain: number) => `${gain}*sin(1000*2*PI*t)`;
    for (const [name, gain] of [
      ["full.wav", 0.5],
      ["half.wav", 0.25],
    ] as const) {
      const graph = `aevalsrc=${tone(gain)}|${tone(0.5)}:s=48000:d=1.5`;
      await make(file(name), "-f", "lavfi", "-i", graph, "-c:a", "pcm_s24le");
    }
    const compare_asset = { kind: "asset_url", payload: { storage_provider: "file", url: file("full.wav") } };
    const { deep_properties } = await analyzed("half.wav", { compare_asset, deep_properties: { audio: { psnr: on } } });
    const [left, right] = deep_properties.audio[0].psnr.channels;
    expect(left).toBeCloseTo(-20 * Math.log10(0.25 / Math.SQRT2), 1);
    expect(right).toBe(200);
  });

  test("sound compared with itself has no noise", async () => {
    await make(file("sound.wav"), "-f", "lavfi", "-i", "anoisesrc=r=48000:d=1:seed=4,aformat=channel_layouts=stereo");
    const compare_asset = { kind: "asset_url", payload: { storage_provider: "file", url: file("sound.wav") } };
    const { deep_properties } = await analyzed("sound.wav", {
      compare_asset,
      deep_properties: { audio: { psnr: on } },
    });
    expect(deep_properties.audio[0].psnr).toEqual({ mean: 200, min: 200, channels: [200, 200] });
  });
});
