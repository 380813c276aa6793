import type { AudioFacts } from "../../../../shared/model/asset.ts";
import { capabilityError, definitionError } from "../../../../shared/model/failure.ts";
import type { Filter } from "../../../ffmpeg/filtergraph.ts";
import { layoutOf } from "../../../ffmpeg/layouts.ts";
import type { Conflict } from "../conflicts/conflict.ts";
import type { Container } from "../containers/container.ts";
import type { AudioCodec } from "./audio.ts";
import type { AudioTarget } from "./schema.ts";

/** Channels and samples a second of the result; layout and conversion where they differ from the source's. */
export type SoundShape = {
  readonly channels: number;
  readonly layout?: string;
  readonly rate: number;
  readonly resampled?: boolean;
};

type Wish = {
  readonly audio: AudioTarget;
  readonly source: AudioFacts;
  readonly codec: AudioCodec;
  readonly container: Pick<Container, "sampleRates">;
  readonly path: string;
  readonly conflict: Conflict;
};

/** The job's values, else the source's own as far as codec and container can hold them. Throws TaskError. */
export const planSoundShape = (wish: Wish): SoundShape => {
  const { audio, source } = wish;
  const layout = wantedLayout(wish);
  const channels = audio.channels ?? layout?.channels ?? source.channels;
  if (audio.channels !== undefined) checkChannels(wish, channels);
  const isMixed = channels !== source.channels || layout !== undefined;
  const rate = rateOf(wish);
  return {
    ...{ channels, rate, resampled: audio.sample_rate !== undefined || rate !== source.sampleRate },
    ...(isMixed && { layout: layout?.name ?? mixLayout(channels, wish.path) }),
  };
};

/** Gaps become silence and the sound begins at zero, so that players which ignore time stamps stay in sync. */
export const conversion = ({ layout, rate, resampled }: SoundShape): Filter[] => {
  const options = { sample_rates: resampled ? rate : undefined, channel_layouts: layout };
  return [
    { name: "aresample", options: { async: 1, first_pts: 0 } },
    ...(layout || resampled ? [{ name: "aformat", options }] : []),
  ];
};

/** The rates that both lists have; an absent list has every rate. */
export const ratesOf = (
  codec: Pick<AudioCodec, "sampleRates">,
  container: Pick<Container, "sampleRates">,
): readonly number[] | undefined => {
  const lists = [codec.sampleRates, container.sampleRates].filter((list) => list !== undefined);
  return lists[0]?.filter((rate) => lists.every((list) => list.includes(rate)));
};

// A rate that nobody asked for may become the next higher one, so that nothing is lost if possible.
const rateOf = ({ audio, source, codec, container, path }: Wish): number => {
  const known = ratesOf(codec, container);
  const wished = audio.sample_rate ?? source.sampleRate;
  if (!known || known.includes(wished)) return wished;
  if (audio.sample_rate !== undefined) {
    throw definitionError(`${path}.sample_rate ${wished}: ${audio.codec} has ${known.join(", ")} here`);
  }
  const above = known.filter((rate) => rate > wished);
  return above.length > 0 ? Math.min(...above) : Math.max(...known);
};

const wantedLayout = ({ audio, codec, path, conflict }: Wish) => {
  const name = codec.layout?.(audio);
  if (name === undefined) return undefined;
  const channels = channelsOfLayout[name] ?? 0;
  if (audio.channels === undefined || audio.channels === channels) return { name, channels };
  conflict(`${path}.channels ${audio.channels} contradicts an audio_coding_mode of ${channels}`);
  return undefined;
};

const channelsOfLayout: Readonly<Record<string, number>> = {
  ...{ mono: 1, stereo: 2, "3.0": 3, "3.0(back)": 3, "4.0": 4, "quad(side)": 4, "3.1": 4, "5.0(side)": 5, "4.1": 5 },
  ...{ "5.1(side)": 6 },
};

const checkChannels = ({ audio, codec, path }: Wish, channels: number): void => {
  if (channels > codec.maxChannels) {
    const most = `${audio.codec} has ${codec.maxChannels} channels at most`;
    throw definitionError(`${path}: ${most}, not ${channels}`);
  }
  if (codec.channels?.includes(channels) === false) {
    throw definitionError(`${path}: ${audio.codec} has ${codec.channels.join(", ")} channels, not ${channels}`);
  }
};

const mixLayout = (channels: number, path: string): string => {
  const layout = layoutOf(channels);
  if (!layout) throw capabilityError(`${path}: no layout for ${channels} channels`);
  return layout;
};
