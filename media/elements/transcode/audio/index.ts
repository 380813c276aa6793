import { aac, mpeg2Aac } from "./aac.ts";
import { ac3, eac3 } from "./ac3.ts";
import type { AudioCodec } from "./audio.ts";
import { heAac } from "./he-aac.ts";
import { alac, flac } from "./lossless.ts";
import { mp2 } from "./mp2.ts";
import { mp3 } from "./mp3.ts";
import { opus } from "./opus.ts";
import { aiff, pcm } from "./pcm.ts";
import { s302m } from "./s302m.ts";
import { vorbis } from "./vorbis.ts";

/** Every audio codec that can be made. A new one is one file and one line here. */
export const audioCodecs: readonly AudioCodec[] = [
  ...[aac, mpeg2Aac, heAac, ac3, eac3, aiff, alac, flac, mp2, mp3, opus, pcm, s302m, vorbis],
];

export const audioCodecOf = (name: string): AudioCodec | undefined =>
  audioCodecs.find(({ names }) => names.includes(name));
