import { audioCodecs } from "../audio/index.ts";
import { audioTarget } from "../audio/schema.ts";
import { videoCodecs } from "../video/index.ts";
import type { Container } from "./container.ts";

const unsaid = { audio: audioTarget.parse({}), container: undefined };

/** Whether a container takes a codec, as ffprobe names it: its pattern matches it, or the codec names its family. */
export const canHold = (container: Container, kind: "video" | "audio", codec: string): boolean => {
  if (container[kind].test(codec)) return true;
  const { family } = container;
  if (family === undefined) return false;
  return kind === "video"
    ? videoCodecs.some(({ probed, containers }) => probed === codec && containers.includes(family))
    : audioCodecs.some(({ probed, containers }) => containers.includes(family) && probed(unsaid) === codec);
};
