/**
 * True peak (ITU-R BS.1770) in dBTP of interleaved samples: the loudest value of all channels on eight times as many
 * samples, which a windowed sinc finds between those that are there.
 */
export const truePeakOf = (samples: Float32Array, channels: number): number => {
  const frames = Math.floor(samples.length / channels);
  let most = 0;
  for (let channel = 0; channel < channels; channel += 1) {
    const at = (frame: number) => samples[frame * channels + channel] ?? 0;
    for (let frame = 0; frame < frames; frame += 1) most = Math.max(most, Math.abs(at(frame)), around(at, frame, most));
  }
  return 20 * Math.log10(most);
};

const times = 8;
const reach = 24;

/** For each place between two samples: what the samples around it count there. */
const weights = Array.from({ length: times - 1 }, (_, place) =>
  Array.from({ length: 2 * reach }, (_sample, tap) => {
    const distance = (place + 1) / times + reach - 1 - tap;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / reach);
    return (Math.sin(Math.PI * distance) / (Math.PI * distance)) * window;
  }),
);

/** Only near loud samples can anything between them be louder than what was found before. */
const around = (at: (frame: number) => number, frame: number, most: number): number => {
  if (Math.max(Math.abs(at(frame)), Math.abs(at(frame + 1))) < most / 3) return 0;
  return weights.reduce((found, row) => {
    const value = row.reduce((sum, weight, tap) => sum + weight * at(frame + tap - reach + 1), 0);
    return Math.max(found, Math.abs(value));
  }, 0);
};
