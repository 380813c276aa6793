import { compare, type Rational } from "../../../../shared/basics/rational.ts";
import type { AudioFacts } from "../../../../shared/model/asset.ts";
import { capabilityError, definitionError } from "../../../../shared/model/failure.ts";
import type { Expectation } from "../../../../shared/work/work.ts";
import type { Filter } from "../../../ffmpeg/filtergraph.ts";
import { channelNamesOf, channelsIn, layoutNamed, layoutOf } from "../../../ffmpeg/layouts.ts";
import { type Designator, designatorsOfSpeakers } from "../../../formats/channel-designators.ts";
import { languageOf } from "../../../formats/language.ts";
import { isMix, mixKey } from "../../../virtual-source/mixed-tracks.ts";
import type { Timing, VirtualSource } from "../../../virtual-source/virtual-source.ts";
import type { Conflict } from "../conflicts/conflict.ts";
import { notImplemented, refuseUnsupported } from "../conflicts/unsupported-fields.ts";
import { canHold } from "../containers/can-hold.ts";
import type { Container } from "../containers/container.ts";
import { checkedPid } from "../containers/transport-stream.ts";
import type { Extras, Meter } from "../filters/extras.ts";
import type { AudioPlace, Stage } from "../filters/filter.ts";
import { applyAudioFilters } from "../filters/filtered-track.ts";
import type { StreamRecipe } from "../recipe.ts";
import { refuseEdits } from "../video/encoding/copy.ts";
import { trackNames } from "../video/track-names.ts";
import { type AudioCodec, audioFields } from "./audio.ts";
import { carriedChannels } from "./carried.ts";
import { conversion, planSoundShape, type SoundShape } from "./conversion.ts";
import { defaultCodec } from "./default-codec.ts";
import { inOrderOf, type NamedChannels, namedChannels, unnamedChannels } from "./designators.ts";
import { reshaped } from "./filters/index.ts";
import { audioCodecOf } from "./index.ts";
import { flacHasMask } from "./lossless.ts";
import type { AudioTarget } from "./schema.ts";

export type AudioPlan = {
  readonly recipe: StreamRecipe;
  /** As ffprobe names it. */
  readonly codec: string;
  readonly expect: NonNullable<Expectation["audio"]>[number];
  /** What its channels are called, for the boxes of a file. */
  readonly labels?: readonly Designator[];
  /** How long filters made it. */
  readonly lasts?: Rational;
};

type Request = {
  readonly audio: AudioTarget;
  readonly tracks: readonly AudioFacts[];
  /** Tracks mixed for targets that ask for channels. */
  readonly mixes?: VirtualSource["mixes"];
  /** The track's place in the target. */
  readonly index: number;
  readonly timing: Timing;
  readonly container: Container;
  readonly extras: Extras;
  readonly path: string;
  readonly conflict: Conflict;
  readonly isStrict: boolean;
};

/** One audio track of a target. */
export const planAudio = (request: Request): AudioPlan => {
  const { audio, path } = request;
  refuseUnsupported("audio", audio, path);
  const source = trackOf(request);
  if (audio.codec === "copy") return copied(request, source);
  const codec = codecOf(request, reshaped(source, audio.filters, `${path}.filters`));
  if (/thirdparty/.test(audio.codec_provider ?? "")) {
    notImplemented(`${path}.codec_provider`, audio.codec_provider);
  }
  return encoded(request, source, codec);
};

const codecOf = ({ audio, container, path }: Request, { codec: source }: AudioFacts): AudioCodec => {
  const { codec } = audio;
  if (codec !== undefined) return audioCodecOf(codec) ?? notImplemented(`${path}.codec`, codec);
  const isHeld = (name: string) => canHold(container, "audio", name);
  const found = defaultCodec({ audio, container, source, isHeld });
  if (found) return found;
  throw definitionError(`${path} has no codec, and its container holds no usual one`);
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
  throw definitionError(`${path} needs audio track ${named ?? index}, the source has ${count}`);
};

const encoded = (request: Request, source: AudioFacts, codec: AudioCodec): AudioPlan => {
  const { audio, container, path, conflict } = request;
  const foreign = audioFields.find((field) => audio[field] !== undefined && !codec.reads.includes(field));
  if (foreign) conflict(`${path}.${foreign} means nothing to ${audio.codec ?? codec.names[0]}`);
  const heard = reshaped(source, audio.filters, `${path}.filters`);
  const shape = planSoundShape({ audio, source: heard, codec, container, path, conflict });
  const asked = { audio, source: heard, path, conflict, container, rate: shape.rate, channels: shape.channels };
  const probed = codec.probed(asked);
  const named = channelsOf(request, codec, heard, shape, probed);
  const context = { ...asked, channels: named.channels };
  const fdkaac = codec.program?.(context);
  const made = { options: { c: codec.encoder(context), ...codec.options(context) }, ...(fdkaac && { fdkaac }) };
  const passed = filtered(request, source, shape, codec.isLossy && { name: probed, ...made });
  const filters = [...passed.filters, ...named.filters];
  if (passed.check) request.extras.measure(source.index, [], { ...passed.check, encoded: { filters, ...made } });
  return {
    recipe: {
      track: source.index,
      filters,
      ...{ ...made, options: { ...made.options, disposition: audio.disposition } },
      metadata: metadataOf(audio, source, path),
      pid: checkedPid(audio.pid, `${path}.pid`),
    },
    codec: probed,
    ...(named.labels && { labels: named.labels }),
    ...(passed.lasts && { lasts: passed.lasts }),
    // Mono HE-AAC may always become stereo, so ffprobe reads two channels.
    expect: fdkaac && named.channels === 1 ? { codec: probed } : { codec: probed, channels: named.channels },
  };
};

/** The names that the job gives to channels, and their places in the codec's layouts; what is lost is told. */
const channelsOf = (request: Request, codec: AudioCodec, source: AudioFacts, shape: SoundShape, probed: string) => {
  const { audio, container, extras, path } = request;
  const sound = { ...source, ...shape };
  const { channels } = sound;
  const { channel_designators: designators = [] } = audio;
  const mixed = channels === source.channels ? [] : inOrderOf(designators, channelsIn(sound));
  const naming = {
    designators,
    channels,
    container,
    path,
    isPcm: /^pcm_(?!dvd)/.test(probed),
    hasMask: probed === "flac" && flacHasMask(container.muxer),
  };
  const named: NamedChannels = designators.length > 0 ? namedChannels(naming) : { filters: [], told: [] };
  const held = { layouts: codec.layouts?.(probed, container.muxer), counts: codec.channels, most: codec.maxChannels };
  const carriedAs = (names: readonly string[], layout: string | undefined) =>
    carriedChannels({ names, layout, ...held, exactly: audio.channels });
  const usual = layoutOf(channels);
  const byName = named.speakers
    ? carriedAs(named.speakers, undefined)
    : carriedAs(placesByOrder(sound, held.layouts) ?? channelsIn(sound), sound.layout);
  // Names never mix channels: without a place for one of them, all keep their order.
  const isUnnameable = byName.isMixed && named.speakers && usual !== undefined;
  const carried = isUnnameable ? carriedAs(channelNamesOf(usual), undefined) : byName;
  if (isUnnameable)
    extras.warn(`${path}.channel_designators: this codec has no place for each of them; the order is kept`);
  const isNamed = designators.length > 0 || sound.layout === undefined || (!naming.isPcm && !codec.isUnnamed);
  const unnamed = isNamed ? undefined : unnamedChannels(channelsIn(sound), container, naming.isPcm);
  for (const words of [...carried.told, ...(unnamed?.told ?? [])]) extras.warn(`${path}: ${words}`);
  for (const words of named.told) extras.warn(words);
  return {
    filters: [...mixed, ...named.filters, ...carried.filters, ...(unnamed?.filters ?? [])],
    channels: carried.channels,
    labels: named.labels ?? (isNamed ? undefined : spokenChannels(sound, request, naming.isPcm)),
  };
};

/** Where only names of channels can hold a language, those of a known layout are named for its sake. */
const spokenChannels = (sound: AudioFacts, { audio, container }: Request, isPcm: boolean) =>
  isPcm && container.channelNames === "symbols" && (audio.language ?? sound.language)
    ? designatorsOfSpeakers(channelsIn(sound))
    : undefined;

/**
 * Where the channels of a sound go that nobody named: as many places of the codec in their order, even if ffmpeg would
 * guess others, since a guess is no reason for more channels.
 */
const placesByOrder = (sound: AudioFacts, layouts: readonly string[] | undefined): readonly string[] | undefined => {
  if (sound.layout !== undefined || !layouts || layouts.includes(layoutNamed(channelsIn(sound)))) return undefined;
  const same = layouts.find((each) => channelNamesOf(each).length === sound.channels);
  return same === undefined ? undefined : channelNamesOf(same);
};

type Passed = { readonly filters: readonly Filter[]; readonly lasts?: Rational; readonly check?: Meter };

/** The target's filters around the conversion to its channels and sample rate. */
const filtered = (request: Request, source: AudioFacts, shape: SoundShape, encoder: AudioPlace["encoder"]): Passed => {
  const { audio, tracks, timing, extras, path, isStrict } = request;
  const [aligned, ...converted] = conversion(shape);
  const at = (stage: Stage, sound: AudioFacts, before: readonly Filter[], behind?: AudioPlace["encoder"]) => {
    const isWhole = timing.isWhole && sound.channels === source.channels;
    const track = tracks.indexOf(source) === -1 ? undefined : tracks.indexOf(source);
    const place = {
      timing,
      path: `${path}.filters`,
      extras,
      trackIndex: source.index,
      isWhole,
      isStrict,
      track,
      sound,
      before,
      ...(behind && { encoder: behind }),
    };
    return applyAudioFilters(audio.filters, stage, place);
  };
  const first = aligned ? [aligned] : [];
  const read = at("read", source, first);
  const normalized = at("normalized", read.facts, [...first, ...read.filters]);
  const before = [...first, ...read.filters, ...normalized.filters, ...converted];
  const { channels, rate: sampleRate, layout = normalized.facts.layout } = shape;
  const last = at("converted", { ...normalized.facts, channels, sampleRate, layout }, before, encoder);
  refuseReshaped(last.facts, shape, path);
  const { duration } = last.facts;
  const isLonger = duration && source.duration && compare(duration, source.duration) !== 0;
  return {
    filters: [...before, ...last.filters],
    ...(isLonger && { lasts: duration }),
    ...(last.check && { check: last.check }),
  };
};

/** Behind the conversion nothing makes other channels than the target has: the encoder is set up for these. */
const refuseReshaped = (made: AudioFacts, { channels, rate }: SoundShape, path: string): void => {
  if (made.channels === channels && made.sampleRate === rate) return;
  const what = `${made.channels} channels at ${made.sampleRate} Hz`;
  throw definitionError(
    `${path}.filters make ${what}, the target has ${channels} at ${rate} Hz: let them stand at position pre_convert`,
  );
};

const copied = ({ audio, timing, path, conflict }: Request, source: AudioFacts): AudioPlan => {
  const asked = (["channels", "sample_rate", "filters", ...audioFields] as const).find(
    (field) => audio[field] !== undefined,
  );
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

/** The encoder of uncompressed samples gives out exactly what it reads, so the cut is at the very sample. */
const cutSamples = ({ audio, source, path }: Pick<Request, "audio" | "path"> & { source: AudioFacts }): AudioPlan => {
  const { index, codec, channels } = source;
  if (!/^pcm_[suf]\d+(le|be)?$/.test(codec)) {
    throw capabilityError(`${path}.codec copy cannot cut ${codec}: a part of the source needs an encoder`);
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

/** The job's language, else the source's; the default where neither is a known language. */
const spoken = (audio: AudioTarget, source: AudioFacts, path: string): string | undefined => {
  const { language, default_language } = audio;
  const known = language === undefined ? languageOf(source.language) : languageOf(language);
  if (known !== undefined && known !== "und") return known;
  if (language !== undefined && known === undefined && default_language === undefined) {
    throw definitionError(`${path}.language "${language}" is no language that is known here`);
  }
  return languageOf(default_language) ?? known;
};
