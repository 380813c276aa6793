import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { make } from "../../helpers/media/media-tools.ts";

/**
 * Makes one picture of what every filter of pictures does, for people to look at:
 * `node test/ffmpeg/filters/contact-sheet.ts sheet.png`
 */
const [width, height] = [320, 180];

const cube = (map: (value: number) => number): string => {
  const corners = [0, 1].flatMap((b) => [0, 1].flatMap((g) => [0, 1].map((r) => [r, g, b].map(map).join(" "))));
  return `LUT_3D_SIZE 2\n${corners.join("\n")}\n`;
};

const filtersIn = (folder: string): Readonly<Record<string, readonly object[]>> => {
  const one = (kind: string, payload: object) => [{ kind, payload }];
  const url = (name: string) => ({ url: join(folder, name) });
  const printed = { font_size: 28, font_color: "white", background_color: "black@0.6", border_size: 6 };
  return {
    "no filter": [],
    "crop 25 %": one("crop", { left: "25%", right: "25%", top: "25%", bottom: "25%" }),
    "gaussian_blur 4": one("gaussian_blur", { radius: 4 }),
    "fade in, half way": one("fade", { duration_sec: 1 }),
    "image_overlay 0.6": one("image_overlay", {
      image_file: url("logo.png"),
      opacity: 0.6,
      x: "video_w-overlay_w-10",
      y: 10,
    }),
    video_overlay: one("video_overlay", {
      video_file: url("bug.mkv"),
      x: 10,
      y: "video_h-overlay_h-10",
      width: "video_w/4",
      repeat_count: 0,
    }),
    print_timecode: one("print_timecode", { ...printed, font: "mono", x: "(w-text_w)/2", y: "h-text_h-20" }),
    "frame_nr, serif": one("print_timecode", { ...printed, font: "serif", timecode_kind: "frame_nr" }),
    print_subtitle: one("print_subtitle", {}),
    "subtitle, raised, boxed": one("print_subtitle", {
      y_offset: "40%",
      background_color: "#203080",
      font_size: "150%",
    }),
    deinterlace: one("deinterlace", { interlace_mode: "tff" }),
    "telecine 23": one("telecine", { pattern: "23" }),
    hdr_pq_to_sdr: one("color_convert", { preset: "hdr_pq_to_sdr" }),
    "lut_file: negative": one("color_convert", { lut_file: url("negative.cube") }),
    "extenc: vignette, hue": one("extenc", { extenc_filter: "vignette=angle=0.8,hue=h=90" }),
    "crop, blur, timecode": [
      ...one("crop", { left: "10%", right: "10%" }),
      ...one("gaussian_blur", { radius: 2 }),
      ...one("print_timecode", printed),
    ],
  };
};

const sourceIn = async (folder: string): Promise<object> => {
  const lavfi = (text: string) => ["-f", "lavfi", "-i", text];
  await make(
    join(folder, "in.mov"),
    ...lavfi(`testsrc2=size=${width}x${height}:rate=25:duration=2`),
    ...["-timecode", "10:00:00:00", "-c:v", "prores_ks"],
  );
  await make(join(folder, "logo.png"), ...lavfi("testsrc=size=80x60"), "-frames:v", "1");
  await make(join(folder, "bug.mkv"), ...lavfi("smptebars=size=160x90:rate=25:duration=1"), "-c:v", "ffv1");
  writeFileSync(
    join(folder, "negative.cube"),
    cube((value) => 1 - value),
  );
  writeFileSync(
    join(folder, "texts.srt"),
    "1\n00:00:00,000 --> 00:00:02,000\nSphinx of black quartz,\njudge my vow.\n",
  );
  const subtitle = [{ kind: "subtitle", payload: { format: "srt" } }];
  const components = [
    { kind: "name", name: "in.mov", location: { path: folder } },
    { kind: "name", name: "texts.srt", location: { path: folder }, contents: subtitle },
  ];
  return { kind: "asset_complex", payload: { kind: "sequence", asset_versions: [{ asset_components: components }] } };
};

const sheet = async (to: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-sheet-"));
  try {
    const node = mediaNode(folder);
    const assets = await node.assets(await sourceIn(folder));
    const pictures: string[] = [];
    for (const [index, [name, filters]] of Object.entries(filtersIn(folder)).entries()) {
      const video = { codec: "raw", chroma_format: "yuv420p", width, height, ar_max_distortion: 100, filters };
      const target = { file_pattern: `${index}.nut`, video };
      const { paths } = await node.perform(
        await node.work({ location: { path: join(folder, "out") }, targets: [target] }, assets),
      );
      const picture = await make(join(folder, `${index}.png`), "-ss", "0.5", "-i", paths[0] ?? "", "-frames:v", "1");
      pictures.push("-label", name, picture);
    }
    mkdirSync(join(to, ".."), { recursive: true });
    const font = join(import.meta.dirname, "../../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf");
    await promisify(execFile)("montage", [
      "-font",
      font,
      ...pictures,
      "-tile",
      "4x",
      "-geometry",
      `${width}x${height}+6+6`,
      to,
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

await sheet(resolve(process.argv[2] ?? "contact-sheet.png"));
