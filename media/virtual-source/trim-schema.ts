import { z } from "zod";
import { looseInteger, looseNumber } from "../../shared/basics/loose-values.ts";

/** Selects one of a source's timecodes. */
export const timecodeSelectors = [
  "first",
  "highest",
  "lowest",
  "mxf",
  "gop",
  "sdti",
  "smpte",
  "material_package",
  "source_package",
] as const;

const seconds = looseNumber(0).optional();
const frame = looseInteger(0).optional();
const section = looseInteger(0).optional();
const timecode = z
  .string()
  .regex(/^\d{1,3}:\d{2}:\d{2}[:;.,]\d{2,3}$/, "is no timecode such as 01:00:00:00, or 01:00:00;00 with drop frames")
  .optional();

/** `{by_sec_in_out: {…}}` is the same as its fields alone: they determine the variant. */
const unwrapped = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  const [only, second] = Object.entries(value);
  return only?.[0].startsWith("by_") && !second ? only[1] : value;
};

/** Part of a source or target. The fields determine the variant; either end may be missing. */
export const trim = z.preprocess(
  unwrapped,
  z.looseObject({
    inpoint_sec: seconds,
    outpoint_sec: seconds,
    duration_sec: seconds,
    precision: z.enum(["sample", "frame"]).optional(),
    sequence_timing: z.enum(["relative", "absolute"]).optional(),
    inpoint_tc: timecode,
    outpoint_tc: timecode,
    duration_tc: timecode,
    inpoint_asset_tc: timecode,
    outpoint_asset_tc: timecode,
    source_timecode_selector: z.enum(timecodeSelectors).optional(),
    inpoint_frame: frame,
    outpoint_frame: frame,
    duration_frames: frame,
    section_nr: section,
    inpoint_section: section,
    outpoint_section: section,
    inpoint: z.enum(["track_begin"]).optional(),
    outpoint: z.enum(["track_end"]).optional(),
    reference_media_track: z.enum(["video", "audio", "subtitle"]).optional(),
  }),
);
export type Trim = z.output<typeof trim>;
