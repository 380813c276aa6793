import type { Options } from "../../ffmpeg/args.ts";
import type { Filter } from "../../ffmpeg/filtergraph.ts";
import type { Layer } from "../../layer.ts";
import type { Rational } from "../../rational.ts";
import type { ParserName } from "../../results/index.ts";
import type { Stretch } from "../../subtitles/cue.ts";
import type { FormName } from "../../subtitles/index.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import type { ExistingFiles, Expectation, Output, StepOf } from "../../work.ts";
import type { ManifestPart } from "./manifests/part.ts";
import type { ManifestRecipe } from "./manifests/plan.ts";

/** What a stream of a target is made of. Without filters the source's stream is copied as it is. */
export type StreamRecipe = {
  /** Index of the virtual source's track. */
  readonly track: number;
  readonly filters?: readonly Filter[];
  readonly options: Options;
  readonly metadata: Readonly<Record<string, string>>;
  /** The filtered sound is encoded by fdkaac first; then it is copied. */
  readonly fdkaac?: FdkaacRecipe;
  /** It comes from a file that an earlier step of the attempt made, as it is. */
  readonly made?: MadeInput;
  /** Its number in a transport stream. */
  readonly pid?: number;
};

/** 5: HE-AAC. 29: HE-AAC v2. Bits a second. */
export type FdkaacRecipe = { readonly profile: 5 | 29; readonly bitRate: number };

/** A file in the attempt's folder, of one stream, and the demuxer that reads it. */
export type MadeInput = { readonly scratch: string; readonly format: string };

/** Subtitles in one form, of a file or of a track of one; absent: of nothing. */
export type TextMaking = {
  readonly from?: { readonly uri: string; readonly stream?: number };
  readonly stretch: Stretch;
  readonly form: FormName;
  readonly language?: string;
  readonly isDrop?: boolean;
  readonly segments?: StepOf<"subtitles">["segments"];
};

type TextTrack = Pick<StreamRecipe, "options" | "metadata" | "pid">;
export type PlannedText = TextTrack & { readonly making: TextMaking };
export type TextRecipe = TextTrack & { readonly made: MadeInput };

export type TargetRecipe = {
  readonly uid: string;
  readonly folder: string;
  readonly name: string;
  readonly isSequence: boolean;
  /** A manifest that names the files beside it. */
  readonly isPackage?: boolean;
  /** Names of its segments. */
  readonly segments?: string;
  readonly existing: ExistingFiles;
  readonly temp?: Output["temp"];
  readonly object?: Output["object"];
  readonly muxer: string;
  readonly video?: StreamRecipe;
  readonly audio: readonly StreamRecipe[];
  /** Subtitle tracks, and those that are written before they are copied. */
  readonly texts?: readonly TextRecipe[];
  readonly planned?: readonly PlannedText[];
  /** It is a file of subtitles and nothing else. */
  readonly text?: TextMaking;
  readonly options: Options;
  readonly metadata: Readonly<Record<string, string>>;
  readonly passes: number;
  /** Packets of this number in a transport stream are not wanted. */
  readonly nullPid?: number;
  readonly expect?: Expectation;
  readonly layer?: Layer;
  /** Manifests of the transcode name it. */
  readonly manifest?: ManifestPart;
};

/** The output of a target, by its place among all targets of the transcode. */
export const outIdOf = (index: number): string => `t${index}`;

/** All that `compile` needs: decided once when planned, stored with the task. */
export type Recipe = {
  readonly timelines: readonly Timeline[];
  /** Files that filters read, put into the attempt's folder first. */
  readonly staged?: readonly Staged[];
  /** Subtitles that filters draw, brought into the one form that is drawn. */
  readonly subtitles?: readonly DrawnSubtitles[];
  /** Pictures that carry closed captions to the encoders. */
  readonly captions?: readonly CaptionCarrier[];
  /** What must be known before the targets are made, in this order: filters of each may use the results before it. */
  readonly measures?: readonly Measure[];
  /** Manifests over the targets. */
  readonly manifests?: ManifestRecipe;
};

/** A file under a plain name in the attempt's folder. */
export type Staged = {
  readonly as: string;
  readonly from: { readonly uri: string } | { readonly bundled: string } | { readonly text: string };
};

/** Staged subtitles as an ASS file of the attempt's, each text so many seconds later. */
export type DrawnSubtitles = {
  readonly id: string;
  readonly staged: string;
  /** Whether they bring looks of their own that only ASS has. */
  readonly isStyled: boolean;
  readonly later: number;
};

/** Closed captions as side data of small pictures, as many as the target has. */
export type CaptionCarrier = {
  /** Its file in the attempt's folder. */
  readonly id: string;
  readonly rate: Rational;
  readonly seconds: number;
  readonly tracks: readonly { readonly uri: string; readonly field: 1 | 2; readonly from: number }[];
};

/** A track that is decoded once to learn something of it. */
export type Measure = {
  /** The result's id. */
  readonly id: string;
  readonly source: VirtualSource;
  readonly track: number;
  /** The last ones only listen. What they say goes to ffmpeg's own log, or into a file of notes under the result's id. */
  readonly filters: readonly Filter[];
  readonly parser: ParserName;
  readonly says: "log" | "notes";
};

/** Targets that are cut alike are made together, from one decode. */
export type Timeline = { readonly source: VirtualSource; readonly targets: readonly TargetRecipe[] };
