import { z } from "zod";
import { looseBoolean, looseInteger, looseNumber, numberOrText } from "../../../shared/basics/loose-values.ts";
import { location } from "../../../shared/files/location.ts";
import { existingFiles } from "../../../shared/work/work.ts";
import { trim } from "../../virtual-source/trim-schema.ts";

const text = z.string().max(64).optional();
const mixLevel = z.union([looseNumber(-60, 60), z.enum(["-inf"])]).optional();

const loudness = z.looseObject({
  metering_mode: text,
  dialogue_intelligence: looseBoolean().optional(),
  speech_threshold: looseNumber(0, 100).optional(),
});
const dynamics = z.looseObject({ line_mode_drc_profile: text, rf_mode_drc_profile: text });
const downmix = z.looseObject({
  loro_center_mix_level: mixLevel,
  loro_surround_mix_level: mixLevel,
  ltrt_center_mix_level: mixLevel,
  ltrt_surround_mix_level: mixLevel,
  preferred_downmix_mode: z.enum(["loro", "ltrt", "not_indicated", "pl2"]).optional(),
});

const audioFilter = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("loudness_measurement"), payload: loudness.optional() }),
  z.looseObject({ kind: z.literal("drc"), payload: dynamics.optional() }),
  z.looseObject({ kind: z.literal("downmix"), payload: downmix.optional() }),
]);

const audio = z.looseObject({
  codec: z.enum(["ddp_joc", "ddp_joc_cbi", "ddp_5.1_atmos_downmix"]).optional(),
  bitrate_kb: looseNumber(1, 10_000).optional(),
  channels: looseInteger(1, 64).optional(),
  sample_rate: looseInteger(1000, 768_000).optional(),
  frame_rate: numberOrText().optional(),
  filters: z
    .array(z.looseObject({ audio_filter: audioFilter }))
    .max(100)
    .optional(),
});

const target = z.looseObject({
  uid: z.string().min(1).max(200).optional(),
  location: location.optional(),
  file_pattern: z.string().min(1).max(1000).default("{source_basename}"),
  existing_files: existingFiles.default("fail"),
  container: z.looseObject({ kind: z.enum(["adm", "damf", "mxf_iab", "mp4", "elementary"]).optional() }).optional(),
  trim: trim.optional(),
  audio: z.array(audio).max(64).optional(),
});

/** The vendor's own encoder, which needs a licence. */
export const dolbyAudioEncoderPayload = z.looseObject({
  location: location.optional(),
  targets: z.array(target).max(200).default([]),
  options: z.looseObject({}).optional(),
});
