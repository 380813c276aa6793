import { toNumber } from "../../../../shared/basics/rational.ts";
import { capabilityError, definitionError } from "../../../../shared/model/failure.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import { bitDepthOf, colorSpaceOf, hasAlpha } from "../../../formats/pixel-format.ts";
import { nearestFormat } from "./encoding/nearest-format.ts";
import { broadcastFormats, codestreamOf, namedProfiles } from "./jpeg2000-profile.ts";
import type { VideoCodec, VideoContext } from "./video.ts";

/** Profiles that the encoder names itself, and those that are named once it has kept their limits. */
const ownProfiles = ["jpeg2000", "cinema2k", "cinema4k"];
const profiles = [...ownProfiles, ...Object.keys(namedProfiles)];

/** What digital cinema allows (SMPTE 428): other pictures get a stream that only claims to be one. */
const cinemas: Readonly<Record<string, { readonly width: number; readonly height: number }>> = {
  cinema2k: { width: 2048, height: 1080 },
  cinema4k: { width: 4096, height: 2160 },
};
/** Its own colours first; the others are for who converts later. */
const cinemaFormats = ["xyz12le", "gbrp12le", "yuv444p12le"];

const depths = (names: readonly string[], ...suffixes: readonly string[]) =>
  names.flatMap((name) => suffixes.map((suffix) => `${name}${suffix}`));

export const jpeg2000: VideoCodec = {
  name: "jpeg2000",
  probed: "jpeg2000",
  encoder: "libopenjpeg",
  containers: ["avi", "mov", "mxf"],
  isIntra: true,
  pixelCost: 3,
  reads: ["profile", "bitrate_kb", "mainlevel", "sublevel"],
  values: { profile: profiles },
  formatsOf: (profile) =>
    cinemas[profile] ? cinemaFormats : namedProfiles[profile]?.levels ? broadcastFormats : jpeg2000.pixelFormats,
  pixelFormats: [
    ...depths(["yuv420p", "yuv422p", "yuv444p"], "", "10le", "12le", "16le"),
    ...["rgb24", "rgb48le", "rgba64le", "gbrp10le", "gbrp12le", "yuva444p10le", "yuva444p16le"],
    "xyz12le",
  ],
  pixelFormat: ({ video: { profile = "" }, source }) => {
    if (namedProfiles[profile]?.levels) return nearestFormat(source.pixelFormat, broadcastFormats);
    return cinemas[profile] ? cinemaFormats[0] : undefined;
  },
  codestream: codestreamOf,
  check: checkCinema,
  // It halves the picture five times.
  leastSize: { width: 32, height: 32 },
  options: (context, pixelFormat) => ({
    profile: profileOf(context),
    // This mode has a rate of its own; the profile alone sets all else that cinemas want.
    cinema_mode: context.video.bitrate_kb === undefined ? cinemaOf(context) : undefined,
    // Single files have a header around the picture; films do not repeat it in every frame.
    format: context.container.extensions.includes(".jp2") ? "jp2" : "j2k",
    ...compression(context, pixelFormat),
  }),
};

function checkCinema({ video: { profile }, size, path }: VideoContext, pixelFormat: string): void {
  const most = cinemas[profile ?? ""];
  if (!most) return;
  if (size.width > most.width || size.height > most.height) {
    const message = `${path}: ${profile} has pictures of up to ${most.width}x${most.height}, not ${size.width}x${size.height}`;
    throw definitionError(message);
  }
  if (!cinemaFormats.includes(pixelFormat)) {
    throw definitionError(`${path}.chroma_format ${pixelFormat}: ${profile} has 12 bits in 4:4:4`);
  }
}

const profileOf = ({ video: { profile }, path }: VideoContext): string | undefined => {
  // Broadcasting and IMF want the precincts, code blocks, order and parts of a cinema's codestreams.
  if (namedProfiles[profile ?? ""]) return namedProfiles[profile ?? ""]?.levels ? "cinema2k" : "jpeg2000";
  if (profile === undefined || profiles.includes(profile)) return profile;
  throw capabilityError(`${path}.profile "${profile}" of jpeg2000 is not implemented`);
};

const cinemaOf = ({ video: { profile }, rate }: VideoContext): string | undefined => {
  if (profile === "cinema4k") return "4k_24";
  if (profile !== "cinema2k") return undefined;
  return rate && toNumber(rate) > 40 ? "2k_48" : "2k_24";
};

/**
 * The encoder makes a picture so many times smaller, of what all its components would have in full size: twice the
 * option, which is a whole number. Without it, it is lossless.
 */
const compression = ({ video, size, rate, path, tell }: VideoContext, pixelFormat: string): Options => {
  const { bitrate_kb } = video;
  if (bitrate_kb === undefined) return {};
  const components = colorSpaceOf(pixelFormat) === "Y" ? 1 : hasAlpha(pixelFormat) ? 4 : 3;
  const pictures = rate ? toNumber(rate) : 25;
  const uncoded = size.width * size.height * components * (bitDepthOf(pixelFormat) ?? 8) * pictures;
  const wanted = uncoded / (bitrate_kb * 1000);
  const level = Math.max(1, Math.round(wanted / 2));
  const made = uncoded / (2 * level) / 1000;
  if (Math.abs(made / bitrate_kb - 1) > 0.1)
    tell(`${path}.bitrate_kb: the encoder of JPEG 2000 makes ${Math.round(made)} of ${bitrate_kb} here, the nearest`);
  return { compression_level: level, irreversible: 1 };
};
