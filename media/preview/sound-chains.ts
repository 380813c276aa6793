import type { AudioFacts } from "../../shared/model/asset.ts";
import type { Chain, Filter } from "../ffmpeg/filtergraph.ts";
import type { SourceTrack, VirtualSource } from "../virtual-source/virtual-source.ts";
import { blockSamples, soundRate } from "./plan.ts";
import type { Segment } from "./segments.ts";

/** Blocks before a segment's first one, and after its last one, that the encoder needs for both to fit their neighbours. */
const besideBlocks = 2;

/** The sound of one segment and a little around it, as `sound`: silence where the source has none. */
export const soundChains = ({ blocks }: Segment, source: VirtualSource, from: number): Chain[] => {
  const first = Math.max(0, blocks.first - besideBlocks) * blockSamples;
  const end = (blocks.end + besideBlocks) * blockSamples;
  const offset = from * soundRate;
  const cut: Filter[] = [
    { name: "apad" },
    { name: "atrim", options: { start_sample: Math.max(0, first - offset), end_sample: end - offset } },
    { name: "asetpts", options: { expr: `N+${first}` } },
  ];
  const heard = heardTracks(source);
  const [only, second] = heard;
  if (!only) return [];
  if (!second) return [{ from: only.track.from, filters: [...only.filters, stereo, ...cut], to: ["sound"] }];
  return [
    ...heard.map(({ track, filters }, at) => ({
      from: track.from,
      filters: [...filters, { name: "apad" }],
      to: [`side_${at}`],
    })),
    {
      from: ["side_0", "side_1"],
      filters: [{ name: "join", options: { inputs: 2, channel_layout: "stereo" } }, ...cut],
      to: ["sound"],
    },
  ];
};

const stereo: Filter = { name: "aformat", options: { channel_layouts: "stereo" } };

type Heard = { readonly track: SourceTrack; readonly filters: readonly Filter[] };

/** The first track; the first two as left and right if broadcasters stored each channel alone. */
const heardTracks = ({ facts, tracks }: VirtualSource): Heard[] => {
  const [first, second] = facts.audio;
  const isPair = first?.channels === 1 && second?.channels === 1;
  return facts.audio.slice(0, isPair ? 2 : 1).flatMap((audio) => {
    const track = tracks.find(({ index }) => index === audio.index);
    return track ? [{ track, filters: [...track.filters, ...resampled(audio)] }] : [];
  });
};

/** Samples are counted from the second at which reading begins. */
const resampled = ({ channels, layout }: AudioFacts): Filter[] => [
  // Nobody knows what the channels of an unnamed layout mean: the first two are heard.
  ...(channels > 2 && layout === undefined ? [{ name: "pan", options: { args: "stereo|c0=c0|c1=c1" } }] : []),
  { name: "aresample", options: { sample_rate: soundRate, async: 1, first_pts: 0 } },
];
