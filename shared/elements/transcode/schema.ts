import { z } from "zod";
import { location } from "../../location.ts";
import { looseBoolean, looseInteger, looseNumber } from "../../loose.ts";
import { existingFiles } from "../../work.ts";
import { audioTarget } from "./audio/schema.ts";
import { containerTarget } from "./containers/schema.ts";
import { videoTarget } from "./video/schema.ts";

const standards = [
  ...["xdcam_imx", "xdcam_hd", "xdcam_hd_422", "xdcam_proxy", "xdcam_dvcam25", "avcintra", "dvb", "atsc", "xavc"],
  ...["hmmp", "senvu_2012"],
] as const;

/** `audio[1]`, `video`: what of the source must exist for a thing to be made. */
export const sourceCondition = z.array(z.string().regex(/^(video|audio|subtitle|timecode)(\[\d{1,3}\])?$/));

export const timecodeTarget = z.looseObject({
  include_if_source_has: sourceCondition.optional(),
  verify: looseBoolean().optional(),
  source: z.enum(["auto", "start_value", "media"]).default("auto"),
  source_timecode_selector: z
    .enum(["first", "highest", "lowest", "mxf", "gop", "sdti", "smpte", "material_package", "source_package"])
    .default("first"),
  start_value: z
    .string()
    .regex(/^\d\d:\d\d:\d\d[:;]\d\d$/)
    .optional(),
  force_drop: looseBoolean().default(false),
  rounding_mode: z.enum(["nearest", "up", "down"]).default("nearest"),
});
export type TimecodeTarget = z.output<typeof timecodeTarget>;

/** One file, or one image sequence, to be made. Fields that no table here names are kept and change nothing. */
export const target = z.looseObject({
  uid: z.string().min(1).max(200).optional(),
  location: location.optional(),
  file_pattern: z.string().min(1).max(1000).default("{source_basename}"),
  existing_files: existingFiles.default("fail"),
  parameter_compliance: z.enum(["strict", "relaxed"]).default("strict"),
  include_if_source_has: sourceCondition.optional(),
  extenc_args_compliance: z.enum(["strict", "relaxed", "minimal", "late", "late_relaxed", "late_minimal"]).optional(),
  nr_of_passes: looseInteger(1, 5).default(1),
  slow_first_pass: looseBoolean().default(false),
  compliance: z.enum(standards).optional(),
  compliance_enforcement: z.enum(["strict", "relaxed"]).optional(),
  size_estimate: z.union([looseNumber(0), z.string().max(200)]).optional(),
  container: containerTarget.optional(),
  video: videoTarget.optional(),
  audio: z.array(audioTarget).max(64).optional(),
  timecode: z.array(timecodeTarget).max(8).optional(),
});
export type Target = z.output<typeof target>;

export const transcodePayload = z.looseObject({
  location: location.optional(),
  targets: z.array(target).min(1).max(200),
});
export type TranscodePayload = z.output<typeof transcodePayload>;
