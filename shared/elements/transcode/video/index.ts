import { h264 } from "./h264.ts";
import { h265 } from "./h265.ts";
import { jpeg } from "./jpeg.ts";
import { png } from "./png.ts";
import { prores } from "./prores.ts";
import { raw } from "./raw.ts";
import type { VideoCodec } from "./video.ts";

/** Every video codec that can be made. A new one is one file and one line here. */
const videoCodecs: readonly VideoCodec[] = [h264, h265, jpeg, png, prores, raw];

export const videoCodecOf = (name: string): VideoCodec | undefined => videoCodecs.find((codec) => codec.name === name);
