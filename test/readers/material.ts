import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { make } from "../helpers/media/media-tools.ts";

/**
 * A source whose content tells what it is: each picture carries its number as a row of black and white fields, and a
 * patch of a known colour; each channel of sound has a tone of its own.
 */
export type Material = {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Frames a second. */
  readonly rate: readonly [frames: number, seconds: number];
  readonly frames: number;
  /** Width of a picture's point by its height. */
  readonly sar: string;
  /** The layout of its one track of sound, in ffmpeg's words; undefined: it is silent. */
  readonly layout: string | undefined;
  readonly encoding: readonly string[];
};

/** The patch: as 8 bits of red, green and blue. */
export const patch = [200, 48, 64] as const;

/** A row of so many fields, the lowest bit first. */
export const bits = 10;

/** Hertz of each channel, in the order of WAVE. The fourth is low, as an LFE channel carries nothing else. */
export const tones = [330, 440, 550, 60, 770, 880, 990, 1100] as const;

export const channelsOf: Readonly<Record<string, number>> = {
  ...{ mono: 1, stereo: 2, "2.1": 3, "3.0": 3, quad: 4, "4.0": 4, "5.0": 5, "5.0(side)": 5, "5.1": 6, "5.1(side)": 6 },
  ...{ "6.1": 7, "7.1": 8 },
};

const ffv1 = ["-c:v", "ffv1", "-pix_fmt", "yuv420p"];
const prores = ["-c:v", "prores_ks", "-pix_fmt", "yuv422p10le"];
const h264 = ["-c:v", "libx264", "-qp", "6", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const h264Gop = [...h264.slice(0, 2), "-crf", "8", "-g", "12", "-bf", "2", "-pix_fmt", "yuv420p"];
const mpeg2 = ["-c:v", "mpeg2video", "-q:v", "2", "-g", "12", "-bf", "2", "-pix_fmt", "yuv422p"];
const pcm24 = ["-c:a", "pcm_s24le"];
const aac = ["-c:a", "aac", "-b:a", "192k"];

const of = (
  name: string,
  [width, height]: readonly [number, number],
  rate: Material["rate"],
  frames: number,
  layout: string | undefined,
  encoding: readonly string[],
  sar = "1/1",
): Material => ({ name, width, height, rate, frames, sar, layout, encoding });

/** Sizes, rates, layouts and forms that the tests beside ffmpeg do not use. */
export const materials: readonly Material[] = [
  of("hd24.mov", [1280, 720], [24000, 1001], 36, "stereo", [...prores, ...pcm24]),
  of("half25.mkv", [640, 360], [25, 1], 50, "5.1", [...ffv1, ...pcm24]),
  of("odd30.mov", [426, 240], [30000, 1001], 61, "mono", [...h264Gop, ...pcm24]),
  of("pal.mxf", [720, 576], [25, 1], 41, "stereo", [...mpeg2, "-c:a", "pcm_s16le"], "64/45"),
  of("ntsc.mkv", [720, 480], [30000, 1001], 47, "5.1(side)", [...ffv1, ...pcm24], "8/9"),
  of("fast50.mp4", [480, 270], [50, 1], 99, "stereo", [...h264Gop, ...aac]),
  of("fast5994.mkv", [512, 288], [60000, 1001], 83, "quad", [...ffv1, ...pcm24]),
  of("tall.mp4", [270, 480], [30, 1], 64, "mono", [...h264Gop, ...aac]),
  of("square.mov", [360, 360], [24, 1], 53, "7.1", [...prores, ...pcm24]),
  of("wide.ts", [848, 360], [25, 1], 75, "stereo", [...h264Gop, "-c:a", "mp2", "-b:a", "256k"]),
  of("slow.mkv", [400, 226], [15, 1], 29, "5.0", [...ffv1, ...pcm24]),
  of("silent.mov", [640, 272], [24, 1], 48, undefined, prores),
];

/** Makes what is not there yet. Gives the path of each by its name. */
export const makeMaterials = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  mkdirSync(folder, { recursive: true });
  const paths = new Map<string, string>();
  for (const material of materials) {
    const path = join(folder, material.name);
    if (!existsSync(path)) await make(path, ...argvOf(material));
    paths.set(material.name, path);
  }
  return paths;
};

const argvOf = (material: Material): string[] => {
  const { width, height, frames, encoding, sar } = material;
  const [num, den] = material.rate;
  const matrix = height > 576 ? "bt709" : "smpte170m";
  const field = Math.floor(width / bits);
  const numbered = Array.from(
    { length: bits },
    (_, bit) =>
      `drawbox=x=${bit * field}:y=${Math.floor(height / 2)}:w=${field}:h=${Math.ceil(height / 2)}:color=white:t=fill:enable='mod(floor((n+0.5)/${2 ** bit}),2)'`,
  );
  const [red, green, blue] = patch.map((value) => value.toString(16).padStart(2, "0"));
  const picture = [
    `color=c=black:size=${width}x${height}:rate=${num}/${den},trim=end_frame=${frames},format=gbrp`,
    `drawbox=x=0:y=0:w=${width}:h=${Math.floor(height / 2)}:color=0x${red}${green}${blue}:t=fill`,
    ...numbered,
    `scale=out_color_matrix=${matrix}:out_range=tv:flags=accurate_rnd+full_chroma_int`,
    `format=${encoding[encoding.indexOf("-pix_fmt") + 1]}`,
    `setparams=colorspace=${matrix}:color_primaries=${matrix}:color_trc=${matrix}:range=tv`,
    `setsar=${sar}`,
  ].join(",");
  const tags = ["-colorspace", matrix, "-color_primaries", matrix, "-color_trc", matrix, "-color_range", "tv"];
  return ["-f", "lavfi", "-i", picture, ...soundOf(material), ...encoding, ...tags];
};

const soundOf = ({ layout, frames, rate: [num, den] }: Material): string[] => {
  if (layout === undefined) return [];
  const each = tones.slice(0, channelsOf[layout]).map((tone) => `0.3*sin(2*PI*${tone}*t)`);
  return ["-f", "lavfi", "-i", `aevalsrc='${each.join("|")}':c=${layout}:s=48000:d=${(frames * den) / num}`];
};
