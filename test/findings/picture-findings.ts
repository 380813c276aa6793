import { ffmpeg } from "../helpers/media/media-tools.ts";
import { type Book, completed, type Finding, madeFile } from "./finding.ts";
import { isNear, levelsOf, look, numbersOf, pictureBytes } from "./measure.ts";

type Color = readonly [red: number, green: number, blue: number];
const [green, red]: readonly [Color, Color] = [
  [0, 192, 0],
  [255, 0, 0],
];

/** The numbers of a file are those of the colour by the tags of the file; `matrix` is the tag that it has to have. */
const seesColor = async (path: string, color: Color, matrix: RegExp, { want }: Book): Promise<void> => {
  const { video } = await look(path);
  const levels = await levelsOf(path);
  const tag = video?.color_space ?? "untagged";
  const isFull = video?.color_range === "pc";
  const name = path.split("/").at(-1);
  want(matrix.test(tag), `${name} is tagged ${tag} ${video?.color_range ?? "no range"}`);
  const wanted = numbersOf(color, tag === "bt709" ? "bt709" : "bt601", isFull);
  const numbers = levels.map((level) => level.toFixed(0)).join(" ");
  want(
    isNear(levels, wanted),
    `${name} has ${numbers}, the tags say ${wanted.map((each) => each.toFixed(0)).join(" ")}`,
  );
};

const sizeOf = async (path: string) => {
  const { video } = await look(path);
  return `${video?.width}x${video?.height} ${video?.display_aspect_ratio} ${video?.field_order} ${video?.codec_name} ${video?.profile}`;
};

const sd = /smpte170m|bt470bg/;

export const pictureFindings: Readonly<Record<string, Finding>> = {
  j15_rgb_hd: completed(
    "HD pictures of RGB became BT.601 without tags; DNxHD said bt709 of them",
    async (made, book) => {
      for (const name of ["j15_h264.mp4", "j15_p.mov", "j15_d.mxf", "j15_709.mp4"])
        await seesColor(madeFile(made, name), green, /bt709/, book);
      await seesColor(madeFile(made, "j15_sd.mp4"), green, sd, book);
      await seesColor(madeFile(made, "j15_j.jpg"), green, sd, book);
    },
  ),
  j17_png_709: completed("PNG with bt709 gave numbers of full range, tagged limited", async (made, book) => {
    for (const name of ["j17_p.mov", "j17_d.mxf", "j17_m.ts", "j17_h.mp4", "j17_lim.mp4", "j17_sm.mp4"])
      await seesColor(madeFile(made, name), red, /bt709/, book);
  }),
  j34_prores_yuva444p10le: completed(
    "ProRes 4444 by chroma_format alone was apcn without alpha",
    async (made, { want }) => {
      const { video } = await look(madeFile(made, "j34_prores_yuva444p10le.mov"));
      want(video?.codec_tag_string === "ap4h", `${video?.codec_tag_string} ${video?.profile}`);
      want(/^yuva444p1[02]le$/.test(video?.pix_fmt ?? ""), `${video?.pix_fmt}`);
      want(video?.nb_read_frames === 6, `${video?.nb_read_frames} of 6 frames`);
    },
  ),
  j35_mjpeg: completed("MJPEG lost the matrix of bt709", async (made, book) => {
    const path = madeFile(made, "j35_mjpeg.mov");
    const { video } = await look(path);
    const { want } = book;
    want(video?.nb_read_frames === 10, `${video?.nb_read_frames} of 10 frames`);
    const [levels, tag] = [await levelsOf(path), video?.color_space ?? "untagged"];
    const wanted = numbersOf(red, tag === "bt709" ? "bt709" : "bt601", video?.color_range === "pc");
    const isTold = made.warnings.some((warning) => /matri|601/.test(warning));
    want(tag !== "untagged" || isTold, `tagged ${tag} ${video?.color_range}${isTold ? ", told in the result" : ""}`);
    want(
      isNear(levels, wanted),
      `numbers ${levels.map(Math.round).join(" ")}, wanted ${wanted.map(Math.round).join(" ")}`,
    );
  }),
  j52_default_vp9: completed("HDR10 was lost in VP9", async (made, { want }) => {
    const path = madeFile(made, "j52_default_vp9.webm");
    const { video } = await look(path);
    want(video?.color_transfer === "smpte2084", `transfer ${video?.color_transfer}, ${video?.pix_fmt}`);
    const sides = JSON.stringify(video?.side_data_list ?? []);
    want(/Mastering/.test(sides) && /1000/.test(sides), `mastering display and light level: ${sides.slice(0, 120)}`);
    want(video?.nb_read_frames === 10, `${video?.nb_read_frames} of 10 frames`);
  }),
  j58_trc_smpte240m: completed("color_trc smpte240m ended in an abort of the tool", async (made, { want }) => {
    const { video } = await look(madeFile(made, "j58_trc_smpte240m.mp4"));
    want(video?.color_transfer === "smpte240m", `transfer ${video?.color_transfer}`);
    want(video?.nb_read_frames === 3, `${video?.nb_read_frames} of 3 frames`);
  }),
  j70_j2k_cine: completed("JPEG 2000 missed its bitrate", async (made, { want }) => {
    const { video, format } = await look(madeFile(made, "j70_j2k_cine.mxf"));
    const rate = ((format.size ?? 0) * 8) / (format.duration ?? 1) / 1000;
    want(Math.abs(rate - 100_000) < 10_000, `${rate.toFixed(0)} kbit/s of 100000 over ${format.duration} s`);
    want(video?.nb_read_frames === 48 || video?.nb_read_frames === 50, `${video?.nb_read_frames} frames of 50`);
  }),
  j37_xdcam_imx_hd25i: completed("IMX from HD had the size of HD", async (made, { want }) => {
    const size = await sizeOf(madeFile(made, "j37_xdcam_imx_hd25i.mxf"));
    want(/^720x(576|608) 16:9 (tt|tb) mpeg2video/.test(size), size);
  }),
  j37_xdcam_dvcam25_i2997: completed("DV25 of 525 lines was not bottom field first", async (made, { want }) => {
    const size = await sizeOf(madeFile(made, "j37_xdcam_dvcam25_i2997.mxf"));
    want(/^720x480 4:3 (bb|bt) dvvideo/.test(size), size);
  }),
  j38_d10_ntsc40: completed("D-10 of 525 lines at 40 Mbit/s failed", async (made, { want }) => {
    const path = madeFile(made, "j38_d10_ntsc40.mxf");
    const { video, format } = await look(path);
    const size = await sizeOf(path);
    want(/^720x(512|480) 4:3 (tt|tb) mpeg2video/.test(size), size);
    const rate = ((await pictureBytes(path)) * 8) / (format.duration ?? 1);
    want(Math.abs(rate - 40e6) < 1e6, `${(rate / 1e6).toFixed(2)} Mbit/s of pictures`);
    want(video?.nb_read_frames === 30, `${video?.nb_read_frames} of 30 frames`);
  }),
  j74_m2_level_420: completed("MPEG-2's level without a profile failed in the tool's words", async (made, { want }) => {
    const { video } = await look(madeFile(made, "j74_m2_level_420.ts"));
    want(video?.level === 4, `level ${video?.level}, ${video?.profile}`);
    want(video?.nb_read_frames === 25, `${video?.nb_read_frames} of 25 frames`);
  }),
  "j61_mxf_4.5": completed("MXF lost 12 of 125 pictures where the sound was shorter", async (made, { want }) => {
    const { video, audio } = await look(madeFile(made, "j61_mxf_4.5.mxf"));
    want(video?.nb_read_frames === 125, `${video?.nb_read_frames} of 125 frames`);
    want(Math.abs((audio[0]?.duration ?? 0) - 5) < 0.05, `sound of ${audio[0]?.duration} s`);
    want(
      made.warnings.some((warning) => /sound|silence/i.test(warning)),
      `told: ${made.warnings.join("; ").slice(0, 200)}`,
    );
  }),
  j63_mxf_long: completed("MXF failed where the sound was longer", async (made, { want }) => {
    const { video, audio } = await look(madeFile(made, "j63_mxf_long.mxf"));
    want(video?.nb_read_frames === 60, `${video?.nb_read_frames} of 60 frames`);
    want(Math.abs((audio[0]?.duration ?? 0) - 2) < 0.05, `sound of ${audio[0]?.duration} s`);
    want(
      made.warnings.some((warning) => /sound/i.test(warning)),
      `told: ${made.warnings.join("; ").slice(0, 200)}`,
    );
  }),
  j32_dvd_any: {
    was: "a DVD stream of any size, rate, GOP and sound",
    measure: async (made, { want }) => {
      if (made.ended.kind !== "completed")
        return want(
          /bitrate|GOP|gop|sample_rate|rate/.test(made.ended.words),
          `${made.ended.kind}: ${made.ended.words.slice(0, 200)}`,
        );
      const { video, audio } = await look(madeFile(made, "j32_dvd_any.vob"));
      want(
        video?.width === 720 && video.height === 576,
        `${video?.width}x${video?.height} ${video?.display_aspect_ratio}`,
      );
      want(audio[0]?.sample_rate === 48_000, `sound at ${audio[0]?.sample_rate}`);
    },
  },
  j68_burn_mkvtext_opt: completed(
    "print_subtitle left out a text that the source has in a track",
    async (made, { want }) => {
      const { video } = await look(madeFile(made, "j68_burn_mkvtext_opt.mp4"));
      want((video?.nb_read_frames ?? 0) > 0, `${video?.nb_read_frames} frames`);
      const bright = await brightest(madeFile(made, "j68_burn_mkvtext_opt.mp4"), 1.5);
      const dark = await brightest(madeFile(made, "j68_burn_mkvtext_opt.mp4"), 5.2);
      want(bright > 180 && dark < 40, `brightest point ${bright} with a text and ${dark} without`);
    },
  ),
};

const brightest = async (path: string, second: number): Promise<number> => {
  const filters = "signalstats,metadata=print:file=-";
  const text = (
    await ffmpeg(["-v", "error", "-ss", `${second}`, "-i", path, "-frames:v", "1", "-vf", filters, "-f", "null", "-"])
  ).toString();
  return Number(/YMAX=([0-9.]+)/.exec(text)?.[1]);
};
