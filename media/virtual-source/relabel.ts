import type { Chain } from "../ffmpeg/filtergraph.ts";
import type { Feed } from "./virtual-source.ts";

type Names = {
  /** Prefix of the labels, so that they differ from those of other feeds. */
  readonly prefix: string;
  /** How many inputs come before those that the feed was made for. */
  readonly inputs?: number;
};

/** The same feed in a graph shared with others: with unique labels and input numbers. */
export const relabelled = ({ streams, before, from, filters }: Feed, { prefix, inputs = 0 }: Names): Feed => {
  const renamed = (label: string): string => {
    const [, input, stream] = /^(\d+):(\d+)$/.exec(label) ?? [];
    return input === undefined ? `${prefix}${label}` : `${Number(input) + inputs}:${stream}`;
  };
  const chain = (each: Chain): Chain => ({ ...each, from: each.from.map(renamed), to: each.to.map(renamed) });
  return {
    streams: streams.map(({ input, stream }) => ({ input: input + inputs, stream })),
    before: before.map(chain),
    from: from.map(renamed),
    filters,
  };
};
