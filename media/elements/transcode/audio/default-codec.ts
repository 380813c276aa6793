import type { AudioCodec, AudioWish } from "./audio.ts";
import { audioCodecs } from "./index.ts";

type Wanted = AudioWish & {
  /** The source's codec, as ffprobe names it. */
  readonly source: string;
  /** Whether the container holds a codec, as ffprobe names it. */
  readonly isHeld: (codec: string) => boolean;
};

/** The usual codecs for a container, the most usual first. */
const usual = ["aac", "pcm", "mp2", "ac3", "opus", "vorbis", "flac", "mp3"];

/** The codec of sound whose target names none: the source's, or else the most usual one that the container holds. */
export const defaultCodec = ({ source, isHeld, ...wish }: Wanted): AudioCodec | undefined => {
  const fitting = audioCodecs.filter((codec) => isHeld(codec.probed(wish)));
  const named = (name: string) => fitting.find(({ names }) => names.includes(name));
  return (
    fitting.find((codec) => codec.probed(wish) === source) ?? usual.map(named).find((codec) => codec !== undefined)
  );
};
