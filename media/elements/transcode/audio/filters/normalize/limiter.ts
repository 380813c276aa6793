import type { Filter, FilterValue } from "../../../../../ffmpeg/filtergraph.ts";
import type { AudioPlace } from "../../../filters/filter.ts";
import type { Figure } from "./kind.ts";

/** A piece of ffmpeg's arithmetic, in which options take `min` and `max` for their own least and largest value. */
export type Part = string | Exclude<Figure, number>;
export const part = (figure: Figure): Part => (typeof figure === "number" ? String(figure) : figure);

/** dBTP, and the measurements of the sound behind its encoder so far. */
export type Ceiling = { readonly truePeak: number; readonly heard: readonly string[] };

/** Four times the usual rate, where samples are as high as what is between them. */
export const oversampled = 192_000;
/** Decibels by which peaks may grow again on the way back to the rate of the sound. */
const margin = 0.3;

/** The filter keeps peaks at its own rate; bringing the sound back to its rate lifts some of them by half a decibel. */
export const limited = (ceiling: Ceiling, place: AudioPlace, choose: Choice): Filter[] => {
  const rate = place.sound.sampleRate;
  const decibels = Math.round((ceiling.truePeak - margin) * 1000) / 1000;
  const plain = String(Math.round(10 ** (decibels / 20) * 1e6) / 1e6);
  const limit = ceiling.heard.length === 0 ? [plain] : [`pow(10,(${decibels}-`, ...liftOf(ceiling), ")/20)"];
  return [
    resampled(place),
    { name: "aresample", options: { osr: choose([String(Math.max(oversampled, rate))], rate) } },
    // Nothing is limited where one gain keeps all peaks.
    { name: "alimiter", options: { limit: choose(limit, 1), level: 0, latency: 1 } },
    resampled(place),
  ];
};

/** Decibels by which lossy encoders lift true peaks of all but artificial sounds, and what is spared beyond. */
export const mostUsualLift = 3;
const [mostLift, spared] = [6, 0.5];

/** Limited peaks are so much lower as an encoder brought them above their limit each time that it was heard. */
const liftOf = ({ truePeak, heard }: Ceiling): Part[] => [
  "clip(0",
  ...heard.flatMap((result): Part[] => [
    "+clip(",
    { result, path: ["truePeak"] },
    `-(${truePeak})+${spared},0,${mostLift})`,
  ]),
  `,0,${mostLift})`,
];

/** A value where the filter follows the sound, or another one where it applies one gain. */
export type Choice = (dynamic: readonly Part[], linear: number) => FilterValue;

/** The filter follows the sound whatever it is. */
export const everywhere: Choice = (dynamic) => ({ parts: dynamic });

/** Whether peaks pass their limit, computed by the node where it has to measure first. */
export const peakChoice =
  ({ integrated, truePeak }: { readonly integrated: Figure; readonly truePeak: Figure }, headroom: number): Choice =>
  (dynamic, linear) => ({
    parts: [
      ...[`${linear}+(`, ...dynamic, `-${linear})*gt(`],
      ...[part(truePeak), "-(", part(integrated), `),${headroom})`],
    ],
  });

/** Back at the rate of the sound: where a filter follows it, that works at 192 kHz. */
export const resampled = ({ sound }: AudioPlace): Filter => ({ name: "aresample", options: { osr: sound.sampleRate } });
