/** Ticks per second of time stamps in transport streams. */
export const ticksPerSecond = 90_000;

/** Time stamps have 33 bits: they start again at zero after 26.5 hours. */
const wrap = 2 ** 33;

export const wrapped = (ticks: number): number => ((ticks % wrap) + wrap) % wrap;

/**
 * The ticks from `zero` to a stamp. `near` is a time since `zero` at most 13 hours from it, such as the latest one: a
 * stamp alone does not say how often stamps started again at zero.
 */
export const ticksSince = (zero: number, stamp: number, near: number): number =>
  near + ticksBetween(wrapped(zero + near), stamp);

/** The distance from one stamp to another, negative if the other is earlier; at most 13 hours. */
export const ticksBetween = (from: number, to: number): number => {
  const distance = wrapped(to - from);
  return distance >= wrap / 2 ? distance - wrap : distance;
};
