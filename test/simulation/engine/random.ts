/** Numbers that look random and are the same at each run. Each purpose draws from a stream of its own. */
export type Random = {
  /** From 0 up to 1. */
  readonly fraction: () => number;
  /** From `low` to `high`, both included. */
  readonly integer: (low: number, high: number) => number;
  readonly between: (low: number, high: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly one: <T>(list: readonly T[]) => T;
  /** A waiting time with this mean; short ones are usual, long ones rare. */
  readonly wait: (mean: number) => number;
  readonly bytes: (length: number) => Buffer;
  /** Another stream: draws from it change nothing here. */
  readonly fork: (name: string) => Random;
};

export const createRandom = (seed: number): Random => {
  const next = mulberry(seed);
  return {
    fraction: next,
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    one: (list) => list[Math.floor(next() * list.length)] as never, // callers give lists with entries
    wait: (mean) => -mean * Math.log(1 - next()),
    bytes: (length) => Buffer.from(Array.from({ length }, () => Math.floor(next() * 256))),
    fork: (name) => createRandom(mix(seed, name)),
  };
};

/** The generator called mulberry32. */
const mulberry = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** FNV-1a over the name, begun with the seed. */
const mix = (seed: number, name: string): number => {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (const character of name) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return hash;
};
