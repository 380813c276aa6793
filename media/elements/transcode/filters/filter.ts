import type { z } from "zod";
import type { Rational } from "../../../../shared/basics/rational.ts";
import type { AudioFacts, VideoFacts } from "../../../../shared/model/asset.ts";
import type { Filter } from "../../../ffmpeg/filtergraph.ts";
import type { timecodeSelectors } from "../../../virtual-source/trim-schema.ts";
import type { Timing } from "../../../virtual-source/virtual-source.ts";
import type { StreamRecipe } from "../recipe.ts";
import type { Extras, Meter } from "./extras.ts";

/**
 * Where in a track's pipeline a filter stands. `read`: as the source is decoded. `normalized`: progressive or interlaced,
 * and at the rate, as the target is. `converted`: in the target's size, or its channels and sample rate.
 */
export const stages = ["read", "normalized", "converted"] as const;
export type Stage = (typeof stages)[number];

type Common = {
  readonly timing: Timing;
  /** Where its payload stands in the job. */
  readonly path: string;
  readonly extras: Extras;
};

/** What a picture filter knows about its place. */
export type VideoPlace = Common & {
  /** The picture that comes in, and the one that was decoded. */
  readonly picture: VideoFacts;
  readonly source: VideoFacts;
  /** The size that the target has if nothing is cropped; absent where a filter is for all targets. */
  readonly target?: { readonly width: number; readonly height: number };
  /** The timecode of the first frame, by the selector of the job. */
  readonly timecodeOf: (selector: (typeof timecodeSelectors)[number]) => string | undefined;
};

/** What a sound filter knows about its place. */
export type AudioPlace = Common & {
  readonly sound: AudioFacts;
  /** The virtual source's track, with everything that earlier filters did to it. */
  readonly trackIndex: number;
  readonly before: readonly Filter[];
  /** Its place among the source's tracks, which analyses count by; absent for one that is mixed. */
  readonly track?: number;
  /** Whether it is what an analysis of the source heard: neither cut nor mixed. */
  readonly isWhole: boolean;
  /** Whether what cannot be met fails the target. */
  readonly isStrict?: boolean;
  /** The lossy encoder behind the last filter: it may lift true peaks. */
  readonly encoder?: { readonly name: string } & Pick<StreamRecipe, "options" | "fdkaac">;
};

/** ffmpeg's form of a filter, and the facts of its output. */
export type Applied<Facts> = {
  readonly filters: readonly Filter[];
  readonly changed?: Partial<Facts>;
  /** Checks what the filter promised, once it has been encoded. */
  readonly check?: Meter;
};

type Kind<Payload, Place, Facts> = {
  /** As jobs write it. */
  readonly kind: string;
  readonly payload: z.ZodType<Payload>;
  /** Its position if the job names none. */
  readonly stage: Stage;
  readonly apply: (payload: Payload, place: Place) => Applied<Facts>;
};

/** One filter of pictures: a file of its own and a line in the table. */
export type VideoFilter<Payload> = Kind<Payload, VideoPlace, VideoFacts> & {
  /** Its effect on rate and fields, if it makes fields of video from pictures of film. */
  readonly pulldown?: (payload: Payload) => Pulldown;
};
export type Pulldown = { readonly timesFrames: Rational; readonly fieldOrder: string };

/** The same for sound. */
export type AudioFilter<Payload> = Kind<Payload, AudioPlace, AudioFacts> & {
  /** Channels and sample rate that it is there to make. */
  readonly reshapes?: (payload: Payload, path: string) => Partial<AudioFacts>;
};

/** Filters as their tables see them: each payload was parsed by the schema beside its function. */
export type AnyVideoFilter = VideoFilter<unknown>;
export type AnyAudioFilter = AudioFilter<unknown>;

export const defineVideoFilter = <Payload>(filter: VideoFilter<Payload>): AnyVideoFilter =>
  // A table gives a filter only what its own schema has parsed; the type of a list cannot express this.
  filter as unknown as AnyVideoFilter;

export const defineAudioFilter = <Payload>(filter: AudioFilter<Payload>): AnyAudioFilter =>
  filter as unknown as AnyAudioFilter; // as above
