import type { PayloadConflict } from "../../element.ts";
import { ratesOf } from "../audio/conversion.ts";
import { audioCodecOf } from "../audio/index.ts";
import type { AudioTarget } from "../audio/schema.ts";
import { canHold } from "../containers/can-hold.ts";
import type { Container } from "../containers/container.ts";
import { containers } from "../containers/index.ts";
import type { Target } from "../target-schema.ts";
import { videoCodecOf } from "../video/index.ts";
import { statedContainer } from "./container-choice.ts";
import { fileTargets } from "./single-streams.ts";

/**
 * Codecs that the target's container cannot hold, whatever the source is. No target may be relaxed about a container
 * that it names. A container known only by the file's name is refused here for a strict target, else by the plan.
 */
export const impossiblePairs = (target: Target, index: number): PayloadConflict[] =>
  fileTargets(target).flatMap((file) => misfitsOf(file, index));

const misfitsOf = (target: Target, index: number): PayloadConflict[] => {
  const isNamed = target.container?.kind !== undefined || target.parameter_compliance === "strict";
  const container = isNamed ? statedContainer(target) : undefined;
  if (!container) return [];
  const at = ["targets", index];
  return [
    ...pictureIn(target, container).map((message) => ({ path: [...at, "video", "codec"], message, isStrict: true })),
    ...(target.audio ?? []).flatMap((audio, track) =>
      soundIn(audio, target, container).map(({ field, message }) => {
        return { path: [...at, "audio", track, field], message, isStrict: true };
      }),
    ),
  ];
};

const pictureIn = (target: Target, container: Container): string[] => {
  const { video } = target;
  const codec = video?.enabled && video.codec !== undefined ? videoCodecOf(video.codec) : undefined;
  if (!codec || canHold(container, "video", codec.probed)) return [];
  return [`"${codec.name}" cannot be in ${nameOf(target, container)}; ${advice("video", codec.probed)}`];
};

type Misfit = { readonly field: "codec" | "sample_format" | "sample_rate"; readonly message: string };

const soundIn = (audio: AudioTarget, target: Target, container: Container): Misfit[] => {
  const codec = audio.enabled && audio.codec !== undefined ? audioCodecOf(audio.codec) : undefined;
  if (!codec) return [];
  const probed = codec.probed({ audio, container });
  if (!canHold(container, "audio", probed)) {
    const field = audio.sample_format === undefined ? "codec" : "sample_format";
    const what = probed.startsWith("pcm_") ? probed : audio.codec;
    return [{ field, message: `"${what}" cannot be in ${nameOf(target, container)}; ${advice("audio", probed)}` }];
  }
  const rates = ratesOf(codec, container);
  if (audio.sample_rate === undefined || !rates || rates.includes(audio.sample_rate)) return [];
  const known = `${audio.codec} in ${nameOf(target, container)} has ${rates.join(", ")}`;
  return [{ field: "sample_rate", message: `${audio.sample_rate} is none of its rates: ${known}` }];
};

/** The container in messages, by the field that decides it. */
const nameOf = ({ container, file_pattern }: Target, { extensions }: Container): string =>
  container?.kind === undefined
    ? `a ${extensions[0]} file, which file_pattern "${file_pattern.slice(0, 100)}" asks for`
    : `container.kind "${container.kind}"`;

const advice = (kind: "video" | "audio", codec: string): string => {
  const able = containers.filter((each) => canHold(each, kind, codec)).flatMap(({ kinds }) => kinds.slice(0, 1));
  return able.length > 0 ? `${able.join(", ")} can hold it` : "no container here can hold it";
};
