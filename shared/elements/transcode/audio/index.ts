import { aac } from "./aac.ts";
import type { AudioCodec } from "./audio.ts";
import { pcm } from "./pcm.ts";

/** Every audio codec that can be made. A new one is one file and one line here. */
const audioCodecs: readonly AudioCodec[] = [aac, pcm];

export const audioCodecOf = (name: string): AudioCodec | undefined =>
  audioCodecs.find(({ names }) => names.includes(name));
