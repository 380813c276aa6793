import { type Analysis, type JsonObject, type MeasuredFrame, numberAt, rounded } from "./analysis.ts";

/**
 * Attention signals: the two tones of the US Emergency Alert System (47 CFR § 11.31), and the single tone of weather
 * radio. Hz.
 */
const tones = [853, 960, 1050] as const;
/** Seconds per measurement. */
const look = 0.1;
/** Quieter sound is not an alert. dBFS. */
const audible = -50;
/** With two tones, each carries half of the energy, 3 dB below the total; a single tone nearly all of it. dB. */
const halfOfIt = -6;
const nearlyAll = -2;
/** Signals last eight seconds; a tone of one second is already unlikely to be music. Seconds. */
const shortest = 1;

/** Channel 1 keeps the whole sound; each other channel is filtered to one tone. */
const apart = ["FR", "FC", "BC"] as const;

const signals = {
  eas: ([, low, high]: readonly number[], whole: number) =>
    (low ?? 0) >= whole + halfOfIt && (high ?? 0) >= whole + halfOfIt,
  weather_radio: ([, , , tone]: readonly number[], whole: number) => (tone ?? 0) >= whole + nearlyAll,
} as const;

/** Attention tones of emergency alerts, as events. */
export const emergencyAlert: Analysis<object> = {
  isApart: true,
  filters: (_settings, { rate }) => [
    { name: "aformat", options: { channel_layouts: "mono" } },
    { name: "pan", options: { args: "4.0|FL=c0|FR=c0|FC=c0|BC=c0" } },
    ...tones.map((f, index) => ({
      name: "bandpass",
      options: { f, width_type: "h", w: 20, channels: apart[index] },
    })),
    { name: "asetnsamples", options: { n: Math.round(rate * look), p: 0 } },
    {
      name: "astats",
      options: { metadata: 1, reset: 1, measure_perchannel: "RMS_level", measure_overall: "none" },
    },
  ],
  gather: () => {
    const open = new Map<string, number>();
    const events: JsonObject[] = [];
    const close = (signal: string, end: number): void => {
      const begin = open.get(signal);
      open.delete(signal);
      if (begin === undefined || end - begin < shortest || events.length >= 2000) return;
      events.push({ signal, begin: rounded(begin), end: rounded(end), duration_sec: rounded(end - begin) });
    };
    return {
      frame: (frame) => {
        const levels = levelsOf(frame);
        const [whole = audible] = levels;
        for (const [signal, isHeard] of Object.entries(signals)) {
          if (whole > audible && isHeard(levels, whole)) open.set(signal, open.get(signal) ?? frame.seconds);
          else close(signal, frame.seconds);
        }
      },
      end: (seconds) => {
        for (const signal of Object.keys(signals)) close(signal, seconds);
        return { events, found: events.length > 0 };
      },
    };
  },
};

const levelsOf = (frame: MeasuredFrame): number[] =>
  [1, 2, 3, 4].map((channel) => numberAt(frame, `lavfi.astats.${channel}.RMS_level`) ?? Number.NEGATIVE_INFINITY);
