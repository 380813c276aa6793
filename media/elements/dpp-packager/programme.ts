import { z } from "zod";
import { looseBoolean, looseInteger, optionalObject } from "../../../shared/basics/loose-values.ts";

const words = (most: number) => z.string().trim().min(1).max(most).optional();
const flag = looseBoolean().optional();
const language = z
  .string()
  .regex(/^[a-z]{3}$/, 'is no language of ISO 639-2 such as "eng"')
  .optional();
const timecode = z.string().regex(/^[0-2]\d:[0-5]\d:[0-5]\d:[0-2]\d$/, "is no timecode such as 10:00:00:00");

/** Ratios of the picture inside the frame, and how the sidecar writes them. */
export const pictureRatios = {
  "4:3": "4:3 (1.33:1)",
  "14:9": "14:9 (1.55:1)",
  "15:9": "15:9 (1.66:1)",
  "16:9": "16:9 (1.78:1)",
  "16.65:9": "16.65:9 (1.85:1)",
  "21:9": "21:9 (2.33:1)",
  "21.6:9": "21.6:9 (2.40:1)",
} as const;
const ratioNames = Object.keys(pictureRatios) as (keyof typeof pictureRatios)[]; // Object.keys forgets the names

const captionsType = z.enum(["Hard of Hearing", "Translation"]).optional();

const part = z.looseObject({
  part_number: looseInteger(1, 99),
  part_total: looseInteger(1, 99),
  part_som: timecode,
  part_duration: timecode,
});

/**
 * What people say of a programme: the descriptive metadata of AS-11 UK DPP. Groups and fields stand in the order of the
 * sidecar, and their names are those of its elements in lower case (`series_title` becomes `SeriesTitle`).
 */
export const programme = z.looseObject({
  editorial: optionalObject({
    series_title: words(127),
    programme_title: words(127),
    episode_title_number: words(127),
    production_number: words(127),
    synopsis: words(250),
    originator: words(127),
    copyright_year: looseInteger(1900, 2200).optional(),
    other_identifier: words(127),
    other_identifier_type: words(127),
    genre: words(127),
    distributor: words(127),
  }),
  video: optionalObject({
    afd: z.union([z.literal(9), z.literal(10), z.literal(14)]).optional(),
    picture_ratio: z.preprocess(withoutDecimal, z.enum(ratioNames)).optional(),
    three_d: flag,
    three_d_type: z.enum(["Side by side", "Dual", "Left eye only", "Right eye only"]).optional(),
    product_placement: flag,
    pse_pass: z.enum(["Yes", "No", "Not tested"]).optional(),
    pse_manufacturer: words(127),
    pse_version: words(127),
    video_comments: words(127),
  }),
  audio: optionalObject({
    audio_track_layout: words(20),
    primary_audio_language: language,
    secondary_audio_language: language,
    tertiary_audio_language: language,
    audio_loudness_standard: z.enum(["None", "EBU R 128"]).optional(),
    audio_comments: words(127),
  }),
  timecodes: optionalObject({
    line_up_start: timecode.optional(),
    ident_clock_start: timecode.optional(),
    parts: z.array(part).min(1).max(99).optional(),
    total_programme_duration: timecode.optional(),
  }),
  access_services: optionalObject({
    audio_description_present: flag,
    audio_description_type: z.enum(["Control data / Narration", "AD Mix"]).optional(),
    closed_captions_present: flag,
    closed_captions_type: captionsType,
    closed_captions_language: language,
    open_captions_present: flag,
    open_captions_type: captionsType,
    open_captions_language: language,
    signing_present: z.enum(["Yes", "No", "Signer only"]).optional(),
    sign_language: z.enum(["BSL (British Sign Language)", "BSL (Makaton)"]).optional(),
  }),
  additional: optionalObject({
    completion_date: z.iso.date().optional(),
    textless_elements_exist: flag,
    programme_has_text: flag,
    programme_text_language: language,
  }),
  contact_information: optionalObject({ contact_email: words(127), contact_telephone_number: words(127) }),
});
export type Programme = z.output<typeof programme>;

type Groups = Pick<
  Programme,
  "editorial" | "video" | "audio" | "access_services" | "additional" | "contact_information"
>;

/** The fields of a group that this program knows, in the order of the sidecar. */
export const fieldsOf = (group: keyof Groups): string[] => Object.keys(programme.shape[group].unwrap().shape);

/** `16:9 (1.78:1)`, as the sidecar writes it, means `16:9`. */
function withoutDecimal(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/ \(.*\)$/, "") : value;
}
