import { add, compare, ratio, toNumber } from "../../shared/basics/rational.ts";
import { pathToUri } from "../../shared/files/location.ts";
import type { Preview } from "../../shared/protocol/preview.ts";
import type { Arg } from "../../shared/work/arguments.ts";
import { ffmpegHead } from "../ffmpeg/args.ts";
import { printGraph } from "../ffmpeg/filtergraph.ts";
import { constantRate, mainVideo } from "../formats/stream-timing.ts";
import { secondsOfFrames } from "../formats/timecode.ts";
import { buildFileSource } from "../virtual-source/file-source.ts";
import { inputArgs } from "../virtual-source/input-args.ts";
import { pictureChains } from "./picture-chains.ts";
import { blockSamples } from "./plan.ts";
import type { Segment, SegmentWish } from "./segments.ts";
import { soundChains } from "./sound-chains.ts";

/** Only work of the farm may use the whole processor. */
const threads = ["-threads", "2"];

/**
 * ffmpeg's command that makes one segment, the output `segment`, of the asset `source`. Segments made alone play without a
 * seam: frames and samples are counted, and sound is encoded from some blocks before it to some after, which are dropped.
 */
export const segmentArgs = (wish: SegmentWish): Arg[] => {
  const { preview, segment } = wish;
  return [
    ...ffmpegHead,
    ...graphArgs(wish),
    ...(preview.picture ? pictureArgs(preview) : []),
    ...(preview.hasSound ? soundArgs(segment) : []),
    ...["-map_metadata", "-1", "-map_chapters", "-1", "-avoid_negative_ts", "disabled", "-use_editlist", "0"],
    ...["-movflags", "+empty_moov+default_base_moof+frag_custom+frag_discont+skip_trailer", "-f", "mp4"],
    { out: "segment" },
  ];
};

/** The inputs, and the graph that makes `picture` and `sound` of them, as far as the preview has them. */
export const graphArgs = (wish: SegmentWish): Arg[] => {
  const { name, facts, preview, segment } = wish;
  const uri = pathToUri(name, "posix");
  const from = readingFrom(wish);
  const source = buildFileSource(
    { uri, facts, range: { ...readingTo(wish), from: ratio(from), precision: "sample" } },
    "",
  );
  const picture = preview.picture ? pictureChains(wish, source, from) : [];
  const sound = preview.hasSound ? soundChains(segment, source, from) : [];
  const labels = new Set([...picture, ...sound].flatMap((chain) => chain.from));
  const used = source.tracks.filter((track) => track.from.some((label) => labels.has(label)));
  const indices = used.map(({ index }) => index);
  return [
    ...inputArgs({ ...source, reading: { args: threads } }, indices, { source: { uri } }),
    "-filter_complex",
    printGraph([...picture, ...sound]),
  ];
};

/** A whole second, which is a whole number of samples too: early enough for decoders, filters and resampling to settle. */
const readingFrom = ({ facts, preview, segment }: SegmentWish): number => {
  const video = mainVideo(facts);
  // Where the rate varies, the frame that is shown at the start may have begun long before.
  const settleSeconds = video && !constantRate(video) ? 2 : 0.25;
  return Math.max(0, Math.floor(toNumber(secondsOfFrames(segment.first, preview.rate)) - settleSeconds));
};

const readingTo = ({ preview, segment }: SegmentWish) => {
  const to = add(secondsOfFrames(segment.first + segment.steps, preview.rate), ratio(1, 2));
  return compare(to, secondsOfFrames(preview.steps, preview.rate)) < 0 ? { to } : {};
};

const pictureArgs = ({ rate }: Preview): string[] => [
  ...["-map", "[picture]", "-fps_mode", "passthrough", "-c:v", "libx264", ...threads],
  ...["-preset", "veryfast", "-crf", "27", "-maxrate", "2M", "-bufsize", "2M", "-bf", "0"],
  ...["-g", String(Math.max(1, Math.round(toNumber(rate)))), "-video_track_timescale", String(rate.num)],
  ...["-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"],
];

const soundArgs = ({ blocks }: Segment): string[] => {
  const [first, end] = [blocks.first * blockSamples, blocks.end * blockSamples];
  return ["-map", "[sound]", "-c:a", "aac", "-b:a", "128k", "-bsf:a", `noise=drop='lt(pts,${first})+gte(pts,${end})'`];
};
