import type { AudioFacts } from "../../../asset.ts";
import { TaskError } from "../../../causes.ts";
import { isMix, mixKey } from "../../../virtual-source/mixed-tracks.ts";
import type { Timing, VirtualSource } from "../../../virtual-source/virtual-source.ts";
import type { Expectation } from "../../../work.ts";
import type { Conflict } from "../conflict.ts";
import type { Container } from "../containers/container.ts";
import { checkedPid } from "../containers/transport-stream.ts";
import { notImplemented, refuseNotYet } from "../not-yet.ts";
import type { StreamRecipe } from "../recipe.ts";
import { refuseEdits } from "../video/copy.ts";
import { trackNames } from "../video/track-names.ts";
import { type AudioCodec, audioFields } from "./audio.ts";
import { conversion, shapeOf } from "./conversion.ts";
import { namedChannels } from "./designators.ts";
import { audioCodecOf } from "./index.ts";
import { languageOf } from "./language.ts";
import type { AudioTarget } from "./schema.ts";

export type AudioPlan = {
  readonly recipe: StreamRecipe;
  /** As ffprobe names it. */
  readonly codec: string;
  readonly expect: NonNullable<Expectation["audio"]>[number];
};

type Request = {
  readonly audio: AudioTarget;
  readonly tracks: readonly AudioFacts[];
  /** Tracks that were mixed for targets that ask for channels. */
  readonly mixes?: VirtualSource["mixes"];
  /** Which track of the target it is. */
  readonly index: number;
  readonly timing: Timing;
  readonly container: Container;
  readonly path: string;
  readonly conflict: Conflict;
};

/** One audio track of a target. */
export const planAudio = (request: Request): AudioPlan => {
  const { audio, path } = request;
  refuseNotYet("audio", audio, path);
  if (audio.codec === undefined) throw new TaskError("definition", `${path} has no codec`);
  const source = trackOf(request);
  if (audio.codec === "copy") return copied(request, source);
  const codec = audioCodecOf(audio.codec) ?? notImplemented(`${path}.codec`, audio.codec);
  if (/thirdparty/.test(audio.codec_provider ?? "")) {
    notImplemented(`${path}.codec_provider`, audio.codec_provider);
  }
  return encoded(request, source, codec);
};

// Track i takes track i of the source; a source with one track only feeds every one.
const trackOf = ({ audio, tracks, mixes = [], index, path }: Request): AudioFacts => {
  const { source: from = [] } = audio;
  const mixed = isMix(from) && mixes.find(({ key }) => key === mixKey(from))?.facts;
  if (mixed) return mixed;
  const named = from[0]?.track;
  const found = tracks[named ?? (tracks.length === 1 ? 0 : index)];
  if (found) return found;
  const count = tracks.length === 0 ? "no audio track" : `${tracks.length} audio track${tracks.length > 1 ? "s" : ""}`;
  throw new TaskError("definition", `${path} needs audio track ${named ?? index}, the source has ${count}`);
};

const encoded = ({ audio, container, path, conflict }: Request, source: AudioFacts, codec: AudioCodec): AudioPlan => {
  const foreign = audioFields.find((field) => audio[field] !== undefined && !codec.reads.includes(field));
  if (foreign) conflict(`${path}.${foreign} means nothing to ${audio.codec}`);
  const shape = shapeOf({ audio, source, codec, container, path, conflict });
  const context = { audio, source, path, conflict, container, rate: shape.rate };
  const probed = codec.probed(context);
  const naming = { designators: audio.channel_designators, channels: shape.channels, path };
  return {
    recipe: {
      track: source.index,
      filters: [...conversion(shape), ...namedChannels({ ...naming, isPcm: /^pcm_/.test(probed) })],
      options: { c: codec.encoder(context), ...codec.options(context), disposition: audio.disposition },
      metadata: metadataOf(audio, source, path),
      pid: checkedPid(audio.pid, `${path}.pid`),
    },
    codec: probed,
    expect: { codec: probed, channels: shape.channels },
  };
};

const copied = ({ audio, timing, path, conflict }: Request, source: AudioFacts): AudioPlan => {
  const asked = (["channels", "sample_rate", ...audioFields] as const).find((field) => audio[field] !== undefined);
  if (asked && asked !== "convert_aac_headers")
    conflict(`${path}.${asked} cannot be applied to a stream that is copied`);
  refuseEdits(source, path);
  if (!timing.isWhole) return cutSamples({ audio, source, path });
  return {
    recipe: {
      track: source.index,
      options: { c: "copy", disposition: audio.disposition },
      metadata: metadataOf(audio, source, path),
      pid: checkedPid(audio.pid, `${path}.pid`),
    },
    codec: source.codec,
    expect: { codec: source.codec, channels: source.channels },
  };
};

/** Samples that were never compressed come out of their own encoder as they went in: so the cut is at the very sample. */
const cutSamples = ({ audio, source, path }: Pick<Request, "audio" | "path"> & { source: AudioFacts }): AudioPlan => {
  const { index, codec, channels } = source;
  if (!/^pcm_[suf]\d+(le|be)?$/.test(codec)) {
    throw new TaskError("capability", `${path}.codec copy cannot cut ${codec}: a part of the source needs an encoder`);
  }
  return {
    recipe: {
      track: index,
      filters: conversion({ rate: source.sampleRate, channels }),
      options: { c: codec, disposition: audio.disposition },
      metadata: metadataOf(audio, source, path),
    },
    codec,
    expect: { codec, channels },
  };
};

const metadataOf = (audio: AudioTarget, source: AudioFacts, path: string): Record<string, string> => {
  const language = spoken(audio, source, path);
  return {
    ...(language && { language }),
    ...trackNames(audio),
  };
};

/** What the job says, else the source; the default stands in where neither is a language that is known here. */
const spoken = (audio: AudioTarget, source: AudioFacts, path: string): string | undefined => {
  const { language, default_language } = audio;
  const known = language === undefined ? languageOf(source.language) : languageOf(language);
  if (known !== undefined && known !== "und") return known;
  if (language !== undefined && known === undefined && default_language === undefined) {
    throw new TaskError("definition", `${path}.language "${language}" is no language that is known here`);
  }
  return languageOf(default_language) ?? known;
};
