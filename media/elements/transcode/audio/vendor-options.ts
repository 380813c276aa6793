import { capabilityError, definitionError } from "../../../../shared/model/failure.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import type { AudioContext } from "./audio.ts";
import type { AudioTarget } from "./schema.ts";

type Fields = NonNullable<AudioTarget["vendor_digital"]>;

/** Fields that change the sound, and for which the open AC-3 encoders have no option. */
const without = ["constraints", "surround_attenuation_3_db"] as const;

/** Channels in front and behind, and the one for effects -> layout of channels. */
const layouts: Readonly<Record<string, string>> = {
  ...{ "3/2": "5.0(side)", "3/2L": "5.1(side)", "3/1": "4.0", "3/1L": "4.1", "3/0": "3.0", "3/0L": "3.1" },
  ...{ "2/2": "quad(side)", "2/1": "3.0(back)", "2/0": "stereo", "1/0": "mono" },
};

export const codingLayout = (mode: Fields["audio_coding_mode"]): string | undefined => mode && layouts[mode];

const services: Readonly<Record<string, string>> = {
  ...{ complete_main: "ma", music_and_effects: "ef", visually_impaired: "vi", hearing_impaired: "hi" },
  ...{ dialogue: "di", commentary: "co", emergency: "em", voice: "vo" },
};

/** Services that the encoders have for one channel only. */
const singles: readonly string[] = ["commentary", "emergency", "voice"];

const downmixes: Readonly<Record<string, string>> = {
  ...{ not_indicated: "notindicated", ltrt: "ltrt", loro: "loro", pl2: "dplii" },
};

/**
 * Instructions for a decoder of AC-3. Throws TaskError `capability` for fields that only the vendor's encoder has. What
 * only helps decoders to compress loudness is left out with a warning, or fails a strict target.
 */
export const vendorOptions = (
  { audio, conflict, channels }: Pick<AudioContext, "audio" | "conflict" | "channels">,
  fields: Fields | undefined,
  path: string,
): Options => {
  const foreign = without.find((name) => fields?.[name]);
  if (foreign) {
    throw capabilityError(`${path}.${foreign} is not implemented yet: the open encoders of AC-3 lack it`);
  }
  const { line_mode_profile: line = "none", rf_mode_profile: rf = "none" } = fields?.dynamic_range_control ?? {};
  if (line !== "none" || rf !== "none")
    conflict(`${path}.dynamic_range_control: the open encoders of AC-3 write no gains for decoders`);
  const { bitstream_mode: mode } = fields ?? {};
  const isSingle = mode !== undefined && singles.includes(mode) && channels > 1;
  if (isSingle)
    conflict(`${path}.bitstream_mode ${mode}: the open encoders of AC-3 have it for one channel, not for ${channels}`);
  return {
    dialnorm: dialnormOf(audio.dialnorm ?? fields?.dialnorm, path.replace(/\.[^.]*$/, "")),
    audio_service_type: mode && !isSingle ? services[mode] : undefined,
    dsur_mode: indication(fields?.vendor_surround_mode),
    dsurex_mode: indication(fields?.vendor_digital_surround_ex_mode),
    ...downmixOptions(fields?.stereo_downmix_preference),
  };
};

const dialnormOf = (value: string | number | undefined, path: string): number | undefined => {
  if (value === undefined) return undefined;
  const level = Math.round(Number(value));
  if (level >= -31 && level <= -1) return level;
  throw definitionError(`${path}.dialnorm "${value}" is no number from -31 to -1`);
};

const indication = (mode: Fields["vendor_surround_mode"]) =>
  mode && { not_indicated: "notindicated", enabled: "on" }[mode];

const downmixOptions = (wish: Fields["stereo_downmix_preference"]): Options => ({
  dmix_mode: wish?.preferred_downmix && downmixes[wish.preferred_downmix],
  ltrt_cmixlev: factor(wish?.ltrt_center_mix_level),
  ltrt_surmixlev: factor(wish?.ltrt_surround_mix_level),
  loro_cmixlev: factor(wish?.loro_center_mix_level),
  loro_surmixlev: factor(wish?.loro_surround_mix_level),
});

/** Decibels as the factor that the encoder takes: -3 is 0.708. */
const factor = (level: number | "-inf" | undefined): number | undefined => {
  if (level === undefined) return undefined;
  return level === "-inf" ? 0 : Math.round(10 ** (level / 20) * 1000) / 1000;
};
