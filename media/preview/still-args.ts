import type { Arg } from "../../shared/work/arguments.ts";
import { ffmpegHead } from "../ffmpeg/args.ts";
import { stillSize } from "./plan.ts";
import { graphArgs } from "./segment-args.ts";
import type { SegmentWish } from "./segments.ts";

export type StillWish = Omit<SegmentWish, "segment"> & {
  /** Which step of the preview. */
  readonly step: number;
};

/** ffmpeg's command that makes one small picture, the output `still`, of the asset `source`; undefined without a picture. */
export const stillArgs = ({ step, ...wish }: StillWish): Arg[] | undefined => {
  const { picture } = wish.preview;
  if (!picture) return undefined;
  const preview = { ...wish.preview, hasSound: false, picture: stillSize(picture) };
  const segment = { first: step, steps: 1, blocks: { first: 0, end: 0 } };
  return [
    ...ffmpegHead,
    ...graphArgs({ ...wish, preview, segment, isStill: true }),
    ...["-map", "[picture]", "-frames:v", "1", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-q:v", "4"],
    ...["-map_metadata", "-1", "-f", "image2", "-update", "1"],
    { out: "still" },
  ];
};
