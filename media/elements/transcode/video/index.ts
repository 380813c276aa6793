import { av1 } from "./av1.ts";
import { dnxhd } from "./dnxhd.ts";
import { dv25, dv50 } from "./dv.ts";
import { h264 } from "./h264.ts";
import { h265 } from "./h265.ts";
import { jpeg } from "./jpeg.ts";
import { jpeg2000 } from "./jpeg2000.ts";
import { mjpeg } from "./mjpeg.ts";
import { mpeg1 } from "./mpeg1.ts";
import { mpeg2 } from "./mpeg2.ts";
import { mpeg4 } from "./mpeg4.ts";
import { png } from "./png.ts";
import { prores } from "./prores.ts";
import { raw } from "./raw.ts";
import type { VideoCodec } from "./video.ts";
import { vp8, vp9 } from "./vpx.ts";

/** Every video codec that can be made. A new one is one file and one line here. */
export const videoCodecs: readonly VideoCodec[] = [
  ...[h264, h265, av1, mpeg1, mpeg2, mpeg4, vp8, vp9, prores, dnxhd, dv25, dv50, mjpeg, jpeg2000, raw, jpeg, png],
];

export const videoCodecOf = (name: string): VideoCodec | undefined => videoCodecs.find((codec) => codec.name === name);

/** The codec that an encoder makes. */
export const codecOfEncoder = (encoder: unknown): VideoCodec | undefined =>
  videoCodecs.find((codec) => codec.encoder === encoder);
