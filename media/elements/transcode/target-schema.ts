import { z } from "zod";
import { looseBoolean, looseNumber } from "../../../shared/basics/loose-values.ts";
import { location } from "../../../shared/files/location.ts";
import { existingFiles } from "../../../shared/work/work.ts";
import { numberOrExpression } from "../../expressions/field.ts";
import { timecodeSelectors, trim } from "../../virtual-source/trim-schema.ts";
import { audioTarget } from "./audio/schema.ts";
import { containerTarget } from "./containers/schema.ts";
import { subtitleTarget } from "./subtitle-schema.ts";
import { included, overrides } from "./track-schema.ts";
import { videoTarget } from "./video/schema.ts";

const standards = [
  "xdcam_imx",
  "xdcam_hd",
  "xdcam_hd_422",
  "xdcam_proxy",
  "xdcam_dvcam25",
  "avcintra",
  "dvb",
  "atsc",
  "xavc",
  "hmmp",
  "senvu_2012",
] as const;

export const timecodeTarget = z.looseObject({
  ...included,
  verify: looseBoolean().default(true),
  source: z.enum(["auto", "start_value", "media"]).default("auto"),
  source_timecode_selector: z.enum(timecodeSelectors).default("first"),
  start_value: z
    .string()
    .regex(/^\d\d:\d\d:\d\d[:;]\d\d$/, "is no timecode such as 01:00:00:00, or 01:00:00;00 with drop frames")
    .optional(),
  timecode_frame_rate: z.string().max(64).optional(),
  force_drop: looseBoolean().default(false),
  inherit_source_ndf_df: looseBoolean().optional(),
  no_recalculation: looseBoolean().optional(),
  rounding_mode: z.enum(["nearest", "up", "down"]).default("nearest"),
  overrides: overrides.optional(),
});
export type TimecodeTarget = z.output<typeof timecodeTarget>;

const uidList = z.array(z.string().min(1).max(200)).max(200);
const args = z.string().max(8000).optional();

/** One file, or one image sequence, to be made, without what tables add: codecs, filters and containers know it. */
export const targetFields = z.looseObject({
  ...included,
  uid: z.string().min(1).max(200).optional(),
  manifest_uids: uidList.optional(),
  processing_group_ids: uidList.optional(),
  location: location.optional(),
  file_pattern: z.string().min(1).max(1000).default("{source_basename}"),
  trim: trim.optional(),
  existing_files: existingFiles.default("fail"),
  parameter_compliance: z.enum(["strict", "relaxed"]).default("relaxed"),
  force_local_target_file: looseBoolean().optional(),
  size_estimate: z.union([looseNumber(0), z.string().max(200)]).optional(),
  extenc_args: args,
  extenc_args_compliance: z
    .enum(["strict", "relaxed", "minimal", "late", "late_relaxed", "late_minimal"])
    .default("relaxed"),
  boxtool_args: args,
  service_encoder_args: args,
  nr_of_passes: numberOrExpression({ min: 1, max: 5 }).default(1),
  slow_first_pass: looseBoolean().default(false),
  compliance: z.enum(standards).optional(),
  compliance_enforcement: z.enum(["strict", "relaxed"]).default("relaxed"),
  temp_location: location.optional(),
  temp_file_prefix: z.string().max(200).optional(),
  encryption_id: z.string().max(200).optional(),
  container: containerTarget.optional(),
  video: videoTarget.optional(),
  audio: z.array(audioTarget).max(64).optional(),
  timecode: z.array(timecodeTarget).max(8).optional(),
  subtitle: z.array(subtitleTarget).max(64).optional(),
  overrides: overrides.optional(),
});
export type Target = z.output<typeof targetFields>;
