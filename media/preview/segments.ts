import { multiply, ratio, round, toNumber } from "../../shared/basics/rational.ts";
import type { MediaFacts } from "../../shared/model/asset.ts";
import type { Preview } from "../../shared/protocol/preview.ts";
import { secondsOfFrames } from "../formats/timecode.ts";
import { fragmentsPlaylist } from "../packaging/media-index.ts";
import { blockSamples, soundRate } from "./plan.ts";

/** A part of a preview that is made and fetched on its own: its steps, and the AAC blocks of its sound. */
export type Segment = {
  readonly first: number;
  readonly steps: number;
  readonly blocks: { readonly first: number; readonly end: number };
};

export type SegmentWish = {
  /** Of the file: endings decide how pictures are opened. */
  readonly name: string;
  readonly facts: MediaFacts;
  readonly preview: Preview;
  readonly segment: Segment;
  /** Whether the node's ffmpeg can compress the brightness of HDR. */
  readonly mapsTones: boolean;
  /** Whether it is one JPEG picture. */
  readonly isStill?: true;
};

const segmentSeconds = 4;

const stepsOfSegment = ({ rate }: Preview): number => Math.max(1, round(multiply(rate, ratio(segmentSeconds))));

export const countSegments = (preview: Preview): number => Math.ceil(preview.steps / stepsOfSegment(preview));

/** Undefined for a number that the preview does not have. */
export const segmentOf = (preview: Preview, number: number): Segment | undefined => {
  if (!Number.isInteger(number) || number < 0 || number >= countSegments(preview)) return undefined;
  const most = stepsOfSegment(preview);
  const first = number * most;
  const steps = Math.min(most, preview.steps - first);
  const blocksUntil = (step: number) => (step * preview.rate.den * soundRate) / (preview.rate.num * blockSamples);
  const end = blocksUntil(first + steps);
  const isLast = first + steps === preview.steps;
  return {
    first,
    steps,
    blocks: { first: Math.floor(blocksUntil(first)), end: isLast ? Math.ceil(end) : Math.floor(end) },
  };
};

/** The playlist of all segments, in HLS. */
export const playlistOf = (preview: Preview): string => {
  const count = countSegments(preview);
  const secondsOf = (number: number) => toNumber(secondsOfFrames(segmentOf(preview, number)?.steps ?? 1, preview.rate));
  const [usual, last] = [secondsOf(0), secondsOf(count - 1)];
  const segments = Array.from({ length: count }, (_, number) => ({
    name: `${number}.m4s`,
    seconds: number === count - 1 ? last : usual,
  }));
  return fragmentsPlaylist(segments, "init.mp4");
};

/** Splits a segment as ffmpeg writes it: into the init part, which a player reads once, and the media. */
export const splitSegment = (
  file: Uint8Array<ArrayBuffer>,
): { readonly init: Uint8Array<ArrayBuffer>; readonly media: Uint8Array<ArrayBuffer> } | undefined => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = 0; at + 8 <= file.length; ) {
    if (view.getUint32(at + 4) === fragment) return { init: file.subarray(0, at), media: file.subarray(at) };
    const size = view.getUint32(at);
    if (size < 8) return undefined;
    at += size;
  }
  return undefined;
};

/** `moof` */
const fragment = 0x6d6f6f66;
