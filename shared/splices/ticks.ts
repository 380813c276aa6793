/** Ticks a second of the stamps in transport streams. */
export const ticksPerSecond = 90_000;

/** Stamps have 33 bits and begin again at zero after 26.5 hours. */
const wrap = 2 ** 33;

export const wrapped = (ticks: number): number => ((ticks % wrap) + wrap) % wrap;

/** The distance from one stamp to another, negative where it comes earlier. */
export const ticksBetween = (from: number, to: number): number => {
  const distance = wrapped(to - from);
  return distance >= wrap / 2 ? distance - wrap : distance;
};
