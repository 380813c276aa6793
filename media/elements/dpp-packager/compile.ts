import { nameOf } from "../../../shared/files/location.ts";
import type { Arg } from "../../../shared/work/arguments.ts";
import type { Step, Work } from "../../../shared/work/work.ts";
import { ffmpegHead } from "../../ffmpeg/args.ts";
import { type Chain, printGraph } from "../../ffmpeg/filtergraph.ts";
import { openingArgs } from "../../ffmpeg/opening-args.ts";
import type { DppRecipe } from "./recipe.ts";

/** The picture is wrapped as it is; the sound is laid out anew, sample by sample. */
export const compileDpp = (recipe: DppRecipe): Work => {
  const { uri, output, sidecar, notes } = recipe;
  return {
    assets: { source: { uri } },
    outputs: { mxf: output, ...(sidecar && { xml: sidecar.output }) },
    steps: [wrapping(recipe), ...(sidecar ? [writing(sidecar)] : [])],
    ...(notes.length > 0 && { notes: [...notes] }),
  };
};

export const requirementsOf = (recipe: DppRecipe): string[] => {
  const filters = [...new Set(layout(recipe).flatMap((chain) => chain.filters.map(({ name }) => `filter:${name}`)))];
  return ["ffmpeg", `muxer:${recipe.shim.muxer}`, "encoder:pcm_s24le", ...filters];
};

const wrapping = (recipe: DppRecipe): Step => {
  const { uri, shim, picture, timecode, seconds } = recipe;
  const chains = layout(recipe);
  return {
    do: "ffmpeg",
    id: "wrap",
    argv: [
      ...ffmpegHead,
      ...openingArgs({ name: nameOf(uri) }),
      ...["-i", { asset: "source" }],
      ...(chains.length > 0 ? ["-filter_complex", printGraph(chains)] : []),
      ...["-map", `0:${picture}`],
      ...tracksOf(recipe).flatMap((label) => ["-map", label]),
      ...["-c:v", "copy", "-c:a", "pcm_s24le", "-map_metadata", "-1", "-timecode", timecode, "-f", shim.muxer],
      { out: "mxf" },
    ] satisfies Arg[],
    ...(seconds > 0 && { duration: seconds }),
  };
};

const writing = ({ before, after }: NonNullable<DppRecipe["sidecar"]>): Step => ({
  ...{ do: "sidecar", id: "sidecar", of: "mxf", to: "xml", before, after },
});

/** What the sound needs to come in tracks of one channel, or in one track. */
const layout = ({ shim, sounds }: DppRecipe): Chain[] => {
  if (shim.tracks === "mono") return sounds.flatMap(split);
  if (sounds.length < 2) return [];
  const from = sounds.map(({ stream }) => `0:${stream}`);
  return [{ from, filters: [{ name: "amerge", options: { inputs: sounds.length } }], to: ["all"] }];
};

type Sound = DppRecipe["sounds"][number];

/** A chain for each channel of a track that has several. */
const split = ({ stream, channels }: Sound): Chain[] =>
  channels === 1
    ? []
    : numbers(channels).map((channel) => ({
        from: [`0:${stream}`],
        filters: [{ name: "pan", options: { args: `mono|c0=c${channel}` } }],
        to: [channelLabel(stream, channel)],
      }));

const tracksOf = ({ shim, sounds }: DppRecipe): string[] => {
  if (shim.tracks === "one" && sounds.length > 1) return ["[all]"];
  return sounds.flatMap(({ stream, channels }) =>
    shim.tracks === "one" || channels === 1
      ? [`0:${stream}`]
      : numbers(channels).map((channel) => `[${channelLabel(stream, channel)}]`),
  );
};

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);
const channelLabel = (stream: number, channel: number): string => `s${stream}c${channel}`;
