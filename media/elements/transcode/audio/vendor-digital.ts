import { z } from "zod";
import { looseBoolean, looseNumber, optionalObject } from "../../../../shared/basics/loose-values.ts";

const isIndicated = z.enum(["not_indicated", "enabled"]).optional();
const compression = z.enum(["none", "film_std", "film_light", "music_std", "music_light", "speech"]).optional();
const mixLevel = z.union([looseNumber(-60, 60), z.enum(["-inf"])]).optional();

/** Instructions for a decoder of the vendor's sound: its service, its dynamics, its downmix. */
export const vendorDigital = z.looseObject({
  constraints: z.enum(["broadcast_atsc", "broadcast_ebu", "streaming", "bluray"]).optional(),
  audio_coding_mode: z.enum(["3/2", "3/2L", "3/1", "3/1L", "3/0", "3/0L", "2/2", "2/1", "2/0", "1/0"]).optional(),
  bitstream_mode: z
    .enum([
      ...["complete_main", "music_and_effects", "visually_impaired", "hearing_impaired", "dialogue", "commentary"],
      ...["emergency", "voice"],
    ] as const)
    .optional(),
  dialnorm: looseNumber(-31, -1).optional(),
  phase_shift_90_degree: looseBoolean().default(true),
  vendor_surround_mode: isIndicated,
  vendor_digital_surround_ex_mode: isIndicated,
  surround_attenuation_3_db: looseBoolean().optional(),
  dynamic_range_control: optionalObject({ line_mode_profile: compression, rf_mode_profile: compression }),
  stereo_downmix_preference: optionalObject({
    preferred_downmix: z.enum(["not_indicated", "ltrt", "loro", "pl2"]).optional(),
    ltrt_center_mix_level: mixLevel,
    ltrt_surround_mix_level: mixLevel,
    loro_center_mix_level: mixLevel,
    loro_surround_mix_level: mixLevel,
  }),
});
