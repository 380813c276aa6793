import { ffmpeg, make, probe } from "./media-tools.ts";

/** A tone for each channel, so that every channel is known by what it says; the low one is for channels of effects. */
export const channelTones = [
  ...[1000, 1300, 1700, 80, 2100, 2600, 3100, 3700, 4300, 4900, 5600, 6200, 6900, 7600, 8300, 9000],
  ...[9700, 10_300, 11_100, 11_900, 12_700, 13_300, 14_100, 14_900],
];

const loudness = 0.1;

const toneSource = (tones: readonly number[], layout?: string): string => {
  const each = tones.map((tone) => `${loudness}*sin(2*PI*${tone}*t)`).join("|");
  return `aevalsrc='${each}':s=48000:d=0.6${layout ? `:c=${layout}` : ""}`;
};

/** A file with a small picture and so many tracks of one channel, each with its tone. */
export const monoTracks = (path: string, count: number): Promise<string> =>
  make(
    path,
    ...["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=0.6"],
    ...channelTones.slice(0, count).flatMap((tone) => ["-f", "lavfi", "-i", toneSource([tone])]),
    ...["-map", "0:v", ...channelTones.slice(0, count).flatMap((_, at) => ["-map", `${at + 1}:a`])],
    ...["-c:v", "mpeg4", "-c:a", "pcm_s16le"],
  );

/** A file with one track of this layout, with a tone for each of its channels. */
export const layoutTrack = (path: string, layout: string, tones: readonly number[], ...codec: string[]) =>
  make(path, "-f", "lavfi", "-i", toneSource(tones, layout), ...codec);

/** The tones that each channel of a file's first track has, the loudest first, down to 26 dB below it. */
export const heardTones = async (path: string): Promise<number[][]> => {
  const count = (await probe(path)).audio[0]?.channels ?? 0;
  const raw = await ffmpeg(["-v", "error", "-i", path, "-map", "0:a:0", "-c:a", "pcm_f32le", "-f", "f32le", "-"]);
  const all = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength));
  const length = Math.floor(all.length / count);
  // From the middle, where encoders have begun and have not ended.
  const [from, window] = [Math.floor(length / 4), Math.min(9600, Math.floor(length / 2))];
  return Array.from({ length: count }, (_, channel) => {
    const samples = Float32Array.from({ length: window }, (_, at) => all[(from + at) * count + channel] ?? 0);
    return loudest(samples);
  });
};

const loudest = (samples: Float32Array): number[] => {
  const levels = channelTones.map((tone) => ({ tone, level: levelOf(samples, tone) }));
  const most = Math.max(...levels.map(({ level }) => level));
  if (most < loudness / 20) return [];
  return levels
    .filter(({ level }) => level > most / 20)
    .sort((a, b) => b.level - a.level)
    .map(({ tone }) => tone);
};

/** The amplitude of one tone, by its correlation with sine and cosine under a window. */
const levelOf = (samples: Float32Array, tone: number): number => {
  let [sine, cosine, weight] = [0, 0, 0];
  for (const [at, sample] of samples.entries()) {
    const share = 1 - Math.cos((2 * Math.PI * at) / samples.length);
    const angle = (2 * Math.PI * tone * at) / 48_000;
    sine += sample * share * Math.sin(angle);
    cosine += sample * share * Math.cos(angle);
    weight += share;
  }
  return (2 * Math.hypot(sine, cosine)) / weight;
};
