import {
  add,
  compare,
  invert,
  max,
  multiply,
  negate,
  type Rational,
  ratio,
  round,
  subtract,
  toFraction,
} from "../../shared/basics/rational.ts";
import type { AudioFacts } from "../../shared/model/asset.ts";
import type { Filter } from "../ffmpeg/filtergraph.ts";

type Reading = { readonly seek?: Rational; readonly origin: Rational };

/** Codecs whose blocks may differ in length, so that they are on no grid. */
const uneven = ["vorbis"];

/**
 * Containers that count in milliseconds (Matroska, FLV) round every time stamp, so sound would be cut up to a
 * millisecond off. Instead, samples are counted from the first one that is read; a time stamp further off than rounding
 * explains is a gap, and counting restarts. If reading begins in the middle, the first block is moved to the nearest
 * multiple of a block's length from the track's true start, because all blocks are equally long.
 */
export const onSampleGrid = (audio: AudioFacts, reading: Reading): Filter[] => {
  const { timeBase, sampleRate } = audio;
  if (compare(timeBase, ratio(1, 8000)) <= 0) return [];
  const most = toFraction(multiply(multiply(timeBase, ratio(2)), ratio(sampleRate)));
  const first = firstSample(audio, reading);
  const begin = `st(0,if(N,ld(0),if(lte(abs(${first}-PTS),${most}),${first},PTS)))`;
  const counted = `st(1,ld(0)+N)`;
  return [
    {
      name: "asetpts",
      options: { expr: `${begin};${counted};round(if(lte(abs(PTS-ld(1)),${most}),ld(1),st(0,PTS-N)+N))` },
    },
  ];
};

/** When the first block that is read is heard, in samples; its time stamps in ffmpeg are `PTS`. */
const firstSample = (audio: AudioFacts, { seek, origin }: Reading): string => {
  const { timeBase, sampleRate, start = ratio(0) } = audio;
  const samples = (time: Rational) => `(${toFraction(multiply(time, ratio(sampleRate)))})`;
  // The origin is subtracted in the stream's time base, and rounded to it.
  const rounded = multiply(ratio(round(multiply(origin, invert(timeBase)))), timeBase);
  const block = `round((PTS-${samples(subtract(start, rounded))})/NB_SAMPLES)`;
  const onGrid = `(${block}*NB_SAMPLES+${samples(subtract(trueStart(audio), origin))})`;
  if (seek) return uneven.includes(audio.codec) ? "PTS" : onGrid;
  // Some decoders remove the priming before the filters: the first sample is then heard at zero.
  const zero = samples(subtract(max(start, ratio(0)), origin));
  return `if(lte(abs(PTS-${zero}),${toFraction(multiply(timeBase, ratio(2 * sampleRate)))}),${zero},${onGrid})`;
};

/** Sound that begins before zero begins there with its priming, whose length is known to the sample. */
const trueStart = ({ codec, start = ratio(0), priming, sampleRate, timeBase }: AudioFacts): Rational => {
  const padding = priming ?? (codec === "aac" ? 1024 : 0);
  const exact = ratio(-padding, sampleRate);
  const distance = add(start, negate(exact));
  const isRounding = compare(distance, timeBase) <= 0 && compare(negate(distance), timeBase) <= 0;
  return start.num < 0 && isRounding ? exact : start;
};
