import { toNumber } from "../../../../shared/basics/rational.ts";
import { definitionError } from "../../../../shared/model/failure.ts";
import { chromaOf } from "../../../formats/pixel-format.ts";
import type { CodestreamProfile, VideoContext } from "./video.ts";

type Profile = {
  /** Of `Rsiz` (ISO/IEC 15444-1, table A.10). */
  readonly number: number;
  readonly most: { readonly width: number; readonly height: number };
  /** It has levels of samples a second, and of bits a second too. */
  readonly levels?: "main" | "both";
};

/** Profiles whose limits the encoder keeps without naming them: a later step writes their numbers. */
export const namedProfiles: Readonly<Record<string, Profile>> = {
  // Both allow one tile whose smallest picture is no larger than 120 pixels: five halvings.
  p0: { number: 1, most: { width: 3840, height: 3840 } },
  p1: { number: 2, most: { width: 3840, height: 3840 } },
  bc_single: { number: 0x0100, most: { width: 4096, height: 4096 }, levels: "main" },
  imf_2k: { number: 0x0400, most: { width: 2048, height: 1556 }, levels: "both" },
  imf_4k: { number: 0x0500, most: { width: 4096, height: 3112 }, levels: "both" },
};

/** Formats of broadcasting and of IMF: whole chroma, or half as many columns of it. */
export const broadcastFormats = ["yuv422p10le", "yuv444p10le", "yuv422p12le", "yuv444p12le", "gbrp10le", "gbrp12le"];

/** Millions of samples a second, by the number of the main level; none below the first. */
const mainLevels = [65, 130, 195, 260, 520, 1200, 2400, 4800, 9600, 19_200, 38_400];
/** Megabits a second, by the number of the sublevel. */
const subLevels = [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200];

/** Bytes of a picture that the encoder is allowed by itself, as in a cinema. */
const usualBytes = 1_302_083;

/** The number that the codestreams of a profile get; undefined for those that the encoder names itself. */
export const codestreamOf = (context: VideoContext, pixelFormat: string): CodestreamProfile | undefined => {
  const { video, size, path } = context;
  const profile = namedProfiles[video.profile ?? ""];
  if (!profile?.levels) refuseLevels(context);
  if (!profile) return undefined;
  const { most, number } = profile;
  if (size.width > most.width || size.height > most.height)
    throw definitionError(
      `${path}: ${video.profile} has pictures of up to ${most.width}x${most.height}, not ${size.width}x${size.height}`,
    );
  const { width, height } = size;
  if (!profile.levels) return { rsiz: number, width, height };
  const rate = context.rate ? toNumber(context.rate) : 25;
  const components = chromaOf(pixelFormat) === "CS_422" ? 2 : 3;
  const main = levelFor(mainLevels, (width * height * components * rate) / 1e6, video.mainlevel, `${path}.mainlevel`);
  if (profile.levels === "main" && video.sublevel)
    throw definitionError(`${path}.sublevel: ${video.profile} has main levels alone`);
  const megabits = video.bitrate_kb === undefined ? (usualBytes * 8 * rate) / 1e6 : video.bitrate_kb / 1000;
  const sub = profile.levels === "both" ? levelFor(subLevels, megabits, video.sublevel, `${path}.sublevel`) : 0;
  return { rsiz: number | (sub << 4) | main, width, height };
};

const refuseLevels = ({ video: { mainlevel, sublevel, profile }, path }: VideoContext): void => {
  const field = mainlevel ? "mainlevel" : sublevel ? "sublevel" : undefined;
  if (field)
    throw definitionError(
      `${path}.${field}: bc_single, imf_2k and imf_4k have levels, ${profile ?? "no profile"} has none`,
    );
};

/** The lowest level that is enough, or the one asked for if it is. */
const levelFor = (levels: readonly number[], needed: number, asked: number | undefined, path: string): number => {
  const lowest = levels.findIndex((most) => needed <= most) + 1;
  if (lowest === 0) throw definitionError(`${path}: no level allows ${Math.round(needed)} million a second`);
  if (asked === undefined || asked === 0) return lowest;
  if (asked > levels.length) throw definitionError(`${path} ${asked}: levels are 1 to ${levels.length}`);
  if (asked >= lowest) return asked;
  throw definitionError(`${path} ${asked} allows ${levels[asked - 1]} million a second, not ${Math.round(needed)}`);
};
