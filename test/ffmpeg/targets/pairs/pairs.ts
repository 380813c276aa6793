import { audioCodecOf, audioCodecs } from "../../../../media/elements/transcode/audio/index.ts";
import { type AudioTarget, audioTarget } from "../../../../media/elements/transcode/audio/schema.ts";
import { canHold } from "../../../../media/elements/transcode/containers/can-hold.ts";
import type { Container } from "../../../../media/elements/transcode/containers/container.ts";
import { containers } from "../../../../media/elements/transcode/containers/index.ts";
import { videoCodecs } from "../../../../media/elements/transcode/video/index.ts";

/** A codec in a container that may hold it, and the target that makes it. */
export type Pair = {
  readonly container: Container;
  /** How the matrix names it: a form of uncompressed sound by that form. */
  readonly codec: string;
  readonly kind: "video" | "audio";
  readonly target: object;
};

const wideForms = ["s16", "s24", "s32", "s64", "u16", "u24", "u32", "f32", "f64"];
const pcmFormats = ["pcm_s8", "pcm_u8", ...wideForms.flatMap((form) => [`pcm_${form}le`, `pcm_${form}be`])];

export const nameOf = ({ kinds, extensions }: Container): string => kinds[0] ?? extensions[0];

const file = ({ kinds, extensions }: Container) =>
  kinds[0] === undefined
    ? { file_pattern: `out${extensions[0]}` }
    : { file_pattern: "out{default_extension}", container: { kind: kinds[0] } };

/** Tape formats have sizes of their own. */
const sizeFor = (codec: string, container: Container): object => {
  if (/^dv/.test(codec)) return { width: 720, height: 576, ar_max_distortion: 100 };
  if (container.muxer !== "mxf_d10") return {};
  return { width: 720, height: 576, ar_max_distortion: 100, add_vbi_if_needed: true, bitrate_kb: 50_000 };
};

const fast: Readonly<Record<string, object>> = { h264: { preset: "veryfast" }, h265: { preset: "ultrafast", crf: 20 } };

const pictures = (container: Container): Pair[] =>
  videoCodecs
    .filter(({ probed }) => canHold(container, "video", probed))
    .map(({ name, probed }) => {
      const raw = probed === "rawvideo" && container.rawFormats && { chroma_format: rawFormat(container) };
      const video = { codec: name, ...fast[name], ...sizeFor(name, container), ...raw };
      return { container, codec: name, kind: "video", target: { ...file(container), video } };
    });

// Of the formats that the API has words for.
const rawFormat = ({ rawFormats = [] }: Container) => (rawFormats.includes("yuv420p") ? "yuv420p" : "rgb24");

const sounds = (container: Container): Pair[] => {
  const besides = container.needsVideo ? { video: { codec: "mpeg2", ...sizeFor("mpeg2", container) } } : {};
  const pair = (codec: string, audio: object): Pair => ({
    ...{ container, codec, kind: "audio", target: { ...file(container), ...besides, audio: [audio] } },
  });
  const holds = (audio: AudioTarget) =>
    canHold(container, "audio", audioCodecOf(audio.codec ?? "")?.probed({ audio, container }) ?? "");
  const usual = container.pcm?.(24);
  return [
    ...audioCodecs
      .map(({ names: [name = ""] }) => name)
      .filter((name) => name !== "pcm" && holds(audioTarget.parse({ codec: name })))
      .map((name) => pair(name, { codec: name })),
    ...(usual && canHold(container, "audio", usual) && !pcmFormats.includes(usual)
      ? [pair(usual, { codec: "pcm" })]
      : []),
    ...pcmFormats
      .filter((format) => canHold(container, "audio", format))
      .map((format) => pair(format, { codec: "pcm", sample_format: format })),
  ];
};

const isMany = ({ isPackage, isSegments }: Container): boolean => isPackage === true || isSegments === true;
const pairsOf = (container: Container): Pair[] => [...pictures(container), ...sounds(container)];

/** Every pair of one file that the tables of containers and codecs allow. */
export const pairs: readonly Pair[] = containers.filter((each) => !isMany(each)).flatMap(pairsOf);

/** The same where a target is many files: a manifest and what it names, or segments in a row. */
export const manyFiles: readonly Pair[] = containers
  .filter((each) => isMany(each) && each.text === undefined)
  // Each kind by itself: DASH with a file for each track is made otherwise than with a file for each segment.
  .flatMap((container) => container.kinds.flatMap((kind) => pairsOf({ ...container, kinds: [kind] })));
