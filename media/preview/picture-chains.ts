import {
  add,
  multiply,
  type Rational,
  ratio,
  round,
  subtract,
  toFraction,
  toNumber,
  toSeconds,
} from "../../shared/basics/rational.ts";
import type { VideoFacts } from "../../shared/model/asset.ts";
import type { PictureSize } from "../../shared/protocol/preview.ts";
import type { Chain, Filter } from "../ffmpeg/filtergraph.ts";
import { forViewers, jpegColors } from "../ffmpeg/rescale.ts";
import { isTopFirst } from "../formats/field-order.ts";
import { asShown, mainVideo, zeroOf } from "../formats/stream-timing.ts";
import { secondsOfFrames } from "../formats/timecode.ts";
import { isInterlaced } from "../virtual-source/conform-picture.ts";
import type { VirtualSource } from "../virtual-source/virtual-source.ts";
import type { SegmentWish } from "./segments.ts";

/**
 * The frames of one segment, as `picture`. If the source ends before its sound, or before what its container declares, its
 * last frame stays for a moment, then the picture is black.
 */
export const pictureChains = (wish: SegmentWish, source: VirtualSource, from: number): Chain[] => {
  const { facts, preview, segment } = wish;
  const video = mainVideo(facts);
  const track = source.tracks.find(({ index }) => index === video?.index);
  if (!video || !track || !preview.picture) return [];
  const { rate, picture } = preview;
  const start = subtract(add(secondsOfFrames(segment.first, rate), lagOf(wish, video)), ratio(from));
  const own: Filter[] = [
    ...track.filters,
    ...(isInterlaced(video.fieldOrder) ? [deinterlaced(video)] : []),
    { name: "fps", options: { fps: toFraction(rate), start_time: toSeconds(start) } },
    ...shrunk(video, picture, wish),
    ...same(wish),
    { name: "tpad", options: { stop_mode: "clone", stop: Math.ceil(toNumber(rate) / 2) } },
  ];
  const black = { c: "black", s: `${picture.width}x${picture.height}`, r: toFraction(rate) };
  return [
    { from: track.from, filters: own, to: ["shown"] },
    { from: [], filters: [{ name: "color", options: black }, ...same(wish)], to: ["black"] },
    {
      from: ["shown", "black"],
      filters: [
        { name: "concat", options: { n: 2, v: 1, a: 0 } },
        { name: "trim", options: { end_frame: segment.steps } },
        { name: "settb", options: { expr: toFraction(ratio(rate.den, rate.num)) } },
        { name: "setpts", options: { expr: `N+${segment.first}` } },
      ],
      to: ["picture"],
    },
  ];
};

const same = ({ isStill }: SegmentWish): readonly Filter[] => [
  { name: "setsar", options: { sar: "1" } },
  { name: "format", options: { pix_fmts: isStill ? "yuvj420p" : "yuv420p" } },
];

/** How far its frames lie from whole steps: less than half of one. */
const lagOf = ({ facts, preview: { rate } }: SegmentWish, video: VideoFacts): Rational => {
  const { start } = asShown(video);
  if (!start) return ratio(0);
  const steps = multiply(subtract(start, zeroOf(facts)), rate);
  return secondsOfSteps(subtract(steps, ratio(round(steps))), rate);
};

const secondsOfSteps = (steps: Rational, rate: Rational): Rational => multiply(steps, ratio(rate.den, rate.num));

const deinterlaced = ({ fieldOrder }: VideoFacts): Filter => ({
  name: "bwdif",
  options: { mode: "send_frame", parity: isTopFirst(fieldOrder) ? "tff" : "bff" },
});

const standard = { range: "tv", primaries: "bt709", transfer: "bt709", matrix: "bt709" };

/** In the size of the preview, in the colours of HD television, or of JPEG. */
const shrunk = (video: VideoFacts, { width, height }: PictureSize, { mapsTones, isStill }: SegmentWish): Filter[] =>
  forViewers(video, isStill ? jpegColors : standard, { w: width, h: height, flags: "bicubic" }, mapsTones);
