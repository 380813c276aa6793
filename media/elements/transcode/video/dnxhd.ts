import { toNumber } from "../../../../shared/basics/rational.ts";
import { definitionError } from "../../../../shared/model/failure.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import { buildFlags } from "./encoding/flags.ts";
import { allScans, type VideoCodec, type VideoContext } from "./video.ts";

type Family = { readonly size: string; readonly isDeep: boolean; readonly rates: readonly number[] };

/** Megabits a second of each family of DNxHD, at 24, 25, 30, 50 and 60 frames a second. */
const progressive: readonly Family[] = [
  { size: "1920x1080", isDeep: false, rates: [175, 185, 220, 365, 440] },
  { size: "1920x1080", isDeep: false, rates: [115, 120, 145, 240, 290] },
  { size: "1920x1080", isDeep: false, rates: [36, 36, 45, 75, 90] },
  { size: "1920x1080", isDeep: true, rates: [175, 185, 185, 365, 440] },
  { size: "1280x720", isDeep: false, rates: [90, 90, 110, 180, 220] },
  { size: "1280x720", isDeep: false, rates: [60, 60, 75, 120, 145] },
  { size: "1280x720", isDeep: true, rates: [90, 90, 90, 180, 220] },
];

/** At 25 and 30 frames a second. */
const fields: readonly Family[] = [
  { size: "1920x1080", isDeep: false, rates: [185, 185, 220] },
  { size: "1920x1080", isDeep: false, rates: [120, 120, 145] },
  { size: "1920x1080", isDeep: true, rates: [185, 185, 220] },
];

/** Profiles of DNxHR, for any size of picture: the bits of a point, for profiles of eight bits in 4:2:2. */
const resolutionFree = [
  { profile: "dnxhr_lb", bitsAPoint: 0.72 },
  { profile: "dnxhr_sq", bitsAPoint: 2.33 },
  { profile: "dnxhr_hq", bitsAPoint: 3.56 },
] as const;

/** DNxHD where the picture has one of its sizes and rates, else DNxHR; the bit rate chooses among the profiles. */
export const dnxhd: VideoCodec = {
  name: "dnxhd",
  probed: "dnxhd",
  encoder: "dnxhd",
  containers: ["mov", "mxf"],
  carrier: "mov",
  isIntra: true,
  reads: ["bitrate_kb"],
  scans: allScans,
  pixelFormats: ["yuv422p", "yuv422p10le", "yuv444p10le"],
  untagged: "bt709",
  leastSize: { width: 256, height: 120 },
  check: (context, pixelFormat) => {
    if (context.scan === "progressive" || familiesOf(context, pixelFormat).length > 0) return;
    throw definitionError(`${context.path}: interlaced dnxhd has pictures of 1920x1080 in 4:2:2`);
  },
  options: (context, pixelFormat) => {
    const families = familiesOf(context, pixelFormat);
    return families.length > 0 ? fixed(context, families) : free(context, pixelFormat);
  },
};

const familiesOf = ({ size, scan }: VideoContext, pixelFormat: string): readonly Family[] => {
  if (pixelFormat === "yuv444p10le") return [];
  const isDeep = pixelFormat === "yuv422p10le";
  const all = scan === "progressive" ? progressive : fields;
  return all.filter((family) => family.size === `${size.width}x${size.height}` && family.isDeep === isDeep);
};

const fixed = (context: VideoContext, families: readonly Family[]): Options => {
  const place = placeOf(context);
  const rates = families.flatMap(({ rates }) => rates[place] ?? rates.at(-1) ?? []);
  const megabits = nearest(rates, (context.video.bitrate_kb ?? Number.POSITIVE_INFINITY) / 1000);
  return { b: megabits * 1_000_000, profile: "dnxhd", flags: buildFlags({ scan: context.scan }) };
};

const free = (context: VideoContext, pixelFormat: string): Options => {
  if (pixelFormat === "yuv444p10le") return { profile: "dnxhr_444" };
  if (pixelFormat === "yuv422p10le") return { profile: "dnxhr_hqx" };
  const { video, size, rate } = context;
  const points = size.width * size.height * (rate ? toNumber(rate) : 25);
  const wished = video.bitrate_kb === undefined ? Number.POSITIVE_INFINITY : (video.bitrate_kb * 1000) / points;
  const bits = nearest(
    resolutionFree.map(({ bitsAPoint }) => bitsAPoint),
    wished,
  );
  return { profile: resolutionFree.find(({ bitsAPoint }) => bitsAPoint === bits)?.profile };
};

const nominals = [24, 25, 30, 50, 60];

const placeOf = ({ rate }: VideoContext): number => {
  const own = rate ? toNumber(rate) : 25;
  return nominals.indexOf(nearest(nominals, own));
};

const nearest = (values: readonly number[], wish: number): number =>
  values.reduce((best, each) => (Math.abs(each - wish) < Math.abs(best - wish) ? each : best), Math.max(...values));
