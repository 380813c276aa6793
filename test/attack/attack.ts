import type { randomFrom } from "../helpers/random/random.ts";

export type Random = ReturnType<typeof randomFrom>;

/** How one kind of attack went: `fell` says of every success what was got. */
export type Tally = {
  readonly what: string;
  readonly tried: number;
  readonly fell: readonly string[];
  readonly note?: string;
};

export type Attack = {
  readonly name: string;
  /** Tries each of its ways about so many times; of named ways, those whose names hold one of these words. */
  readonly run: (options: {
    readonly random: Random;
    readonly tries: number;
    readonly only?: readonly string[];
    /** Several runs share what is in a list of its own; this is one of so many. */
    readonly part?: { readonly nr: number; readonly of: number };
  }) => Promise<Tally[]>;
};
