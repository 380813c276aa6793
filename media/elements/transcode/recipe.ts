import type { Rational } from "../../../shared/basics/rational.ts";
import type { AssetFile } from "../../../shared/model/asset.ts";
import type { Layer } from "../../../shared/model/layer.ts";
import type { DescribedMedia } from "../../../shared/work/media-steps/describe-media.ts";
import type { Finishing } from "../../../shared/work/media-steps/finish-manifest.ts";
import type { ContentKey } from "../../../shared/work/media-steps/packager.ts";
import type { SplicePoint } from "../../../shared/work/splice-point.ts";
import type { FormName } from "../../../shared/work/subtitle-forms.ts";
import type { ExistingFiles, Expectation, Output, Step, StepOf } from "../../../shared/work/work.ts";
import type { Options } from "../../ffmpeg/args.ts";
import type { Filter } from "../../ffmpeg/filtergraph.ts";
import type { CodestreamProfile } from "../../formats/codestream-profile.ts";
import type { Light } from "../../formats/matroska/light.ts";
import type { MediaAddress } from "../../formats/mp4/references.ts";
import type { BoxChanges } from "../../formats/mp4/rewrite.ts";
import type { HeaderChanges } from "../../formats/mxf/header.ts";
import type { ParserName } from "../../results/index.ts";
import type { Pace } from "../../splices/pacer.ts";
import type { CueRange } from "../../subtitles/cue.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";

/** The origin of a target's stream. Without filters the source's stream is copied unchanged. */
export type StreamRecipe = {
  /** Index of the virtual source's track. */
  readonly track: number;
  readonly filters?: readonly Filter[];
  readonly options: Options;
  readonly metadata: Readonly<Record<string, string>>;
  /** fdkaac encodes the filtered sound first; ffmpeg then copies it. */
  readonly fdkaac?: FdkaacRecipe;
  /** It comes unchanged from a file that an earlier step of the attempt made. */
  readonly made?: MadeInput;
  /** Its number in a transport stream. */
  readonly pid?: number;
};

/** 5: HE-AAC. 29: HE-AAC v2. Bits a second. */
export type FdkaacRecipe = { readonly profile: 5 | 29; readonly bitRate: number };

/** A file in the attempt's folder, of one stream or a list of such files, and the demuxer that reads it. */
export type MadeInput = { readonly scratch: string; readonly format: string };

/** Where subtitles are: a file of their own, a track of one, or captions in the picture of one that `demuxer` reads. */
export type TextPlace =
  | { readonly uri: string }
  | { readonly uri: string; readonly stream: number; readonly form: "srt" | "ass" }
  | { readonly uri: string; readonly demuxer: string };

/** Subtitles in one form; without `from` they are empty. */
export type TextMaking = {
  readonly from?: TextPlace;
  readonly stretch: CueRange;
  readonly form: FormName;
  readonly language?: string;
  readonly isDrop?: boolean;
  readonly isTrack?: boolean;
  /** Of WebVTT beside transport streams: the ticks of their clock at which the texts have their zero. */
  readonly streamClock?: number;
  readonly segments?: StepOf<"subtitles">["segments"];
  /** They are drawn. */
  readonly dvb?: Omit<StepOf<"dvb_subtitles">, "do" | "id" | "from" | "to">;
};

type TextTrack = Pick<StreamRecipe, "options" | "metadata" | "pid">;
export type PlannedText = TextTrack & { readonly making: TextMaking };
export type TextRecipe = TextTrack & { readonly made: MadeInput };

/** How a target is encrypted once it has been made. It names keys, and has none. */
export type EncryptionRecipe = {
  readonly by:
    | ({ readonly do: "encrypt_segments" } & Pick<StepOf<"encrypt_segments">, "iv" | "rotation" | "keyFile" | "url"> & {
          readonly key?: ContentKey["key"];
        })
    | {
        readonly do: "packager";
        readonly stream: "video" | "audio";
        readonly args: readonly string[];
        readonly key: ContentKey;
      };
  /** The file that players fetch the key from. */
  readonly keyFile?: Output;
  /** The key that exists already. */
  readonly keyAsset?: string;
};

/** A target's part in the manifests that it belongs to. */
export type ManifestPart = Pick<DescribedMedia, "kind" | "layout" | "hevc"> & {
  readonly uids: readonly string[];
  /** Its segments have picture and sound, or several sounds. */
  readonly isMixed?: true;
};

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
  /** Subtitle tracks, including those that an earlier step writes before they are copied. */
  readonly texts?: readonly TextRecipe[];
  readonly planned?: readonly PlannedText[];
  /** It is a file of subtitles and nothing else. */
  readonly text?: TextMaking;
  readonly options: Options;
  readonly metadata: Readonly<Record<string, string>>;
  readonly passes: number;
  /** Frames a second of its picture. */
  readonly rate?: Rational;
  /** Packets with this number in a transport stream are dropped. */
  readonly nullPid?: number;
  /** Its clock has packets of this number; the rate, in bits a second, is constant. */
  readonly clock?: { readonly pid: number; readonly bitRate?: number };
  /** SCTE-35 sections, and what they are put into: the rate of a stream may be constant. */
  readonly splices?: {
    readonly points: readonly SplicePoint[];
    readonly isConstant: boolean;
    readonly into: StepOf<"insert_splices">["into"];
  };
  /** Milliseconds between clock references and tables that its muxer alone does not keep. */
  readonly pace?: Pace & { readonly form: StepOf<"pace_transport">["form"] };
  /** What its codestreams of JPEG 2000 are named. */
  readonly codestream?: CodestreamProfile;
  /** Boxes of the file that its muxer writes otherwise. */
  readonly boxes?: BoxChanges;
  /** HDR10 in the head of a Matroska file. */
  readonly light?: Light;
  /** What the header of an MXF file says that its muxer does not. */
  readonly header?: HeaderChanges;
  /** A movie without media that refers to this file. */
  readonly referred?: { readonly movie: Output; readonly address: MediaAddress };
  /** A program stream with frames of sound that may be longer than a packet. */
  readonly hasLongFrames?: true;
  /** The lines with which the fields of its picture begin, where its muxer says others. */
  readonly lines?: { readonly first: number; readonly second: number };
  /** What its DASH manifest gets once it is written. */
  readonly finishing?: Finishing;
  /** Warnings of its muxer fail it. */
  readonly isStrictlyMuxed?: true;
  /** It is encrypted once all else is done. */
  readonly encryption?: EncryptionRecipe;
  readonly expect?: Expectation;
  readonly layer?: Layer;
  /** Manifests of the transcode name it. */
  readonly manifest?: ManifestPart;
};

/** The output of a target, by its place among all targets of the transcode. */
export const outIdOf = (index: number): string => `t${index}`;

/** Manifests of targets of the same transcode: their files, and the steps that write them. */
export type ManifestRecipe = {
  readonly outputs: readonly (readonly [id: string, output: Output])[];
  readonly steps: readonly Step[];
};

/** All that `compile` needs: planning decides it once and stores it with the task. */
export type Recipe = {
  readonly timelines: readonly Timeline[];
  /** Files that filters read, put into the attempt's folder first. */
  readonly staged?: readonly Staged[];
  /** Subtitles that filters draw, brought into the one form that is drawn. */
  readonly subtitles?: readonly DrawnSubtitles[];
  /** Pictures that carry closed captions to the encoders. */
  readonly captions?: readonly CaptionCarrier[];
  /** Measurements before the targets are made, in this order: the filters of each may use earlier results. */
  readonly measures?: readonly Measure[];
  /** Manifests over the targets. */
  readonly manifests?: ManifestRecipe;
  /** Points for advertisements that later tasks need to know. */
  readonly splices?: readonly SpliceSearch[];
  /** Pictures that were encoded in sections by earlier tasks, to be played one after the other. */
  readonly joined?: readonly JoinedSections[];
  /** It makes a section of targets: other tasks need the source too. */
  readonly isSection?: true;
};

type Extras = Pick<Required<Recipe>, "staged" | "subtitles" | "captions" | "measures">;

/** What targets need beside their timelines, as fields of a recipe. */
export const extrasIn = ({ staged, subtitles, captions, measures }: Extras): Partial<Extras> =>
  Object.fromEntries(Object.entries({ staged, subtitles, captions, measures }).filter(([, list]) => list.length > 0));

/** A file that lists points for advertisements, or a transport stream that has them among its streams. */
export type SpliceSearch = { readonly uri: string; readonly stream?: StepOf<"find_splices">["stream"] };

/** The sections of a target's picture: their files, and the name of the list of them in the attempt's folder. */
export type JoinedSections = {
  readonly scratch: string;
  readonly files: readonly (Pick<AssetFile, "uri" | "size" | "modified"> & { readonly seconds: Rational })[];
};

/** A file under a plain name in the attempt's folder. */
export type Staged = {
  readonly as: string;
  readonly from: { readonly uri: string } | { readonly bundled: string } | { readonly text: string };
};

/** Subtitles as an ASS file of the attempt, each text so many seconds later. */
export type DrawnSubtitles = {
  readonly id: string;
  /** A file beside the source, under its plain name. */
  readonly staged?: string;
  /** A track of the source, or captions in its picture. */
  readonly from?: TextPlace;
  /** Whether they have styles of their own, which only ASS has. */
  readonly isStyled: boolean;
  readonly later: number;
  /** Milliseconds that the picture lasts. */
  readonly lasts?: number;
  /** What the timecode of the media's first frame shows. */
  readonly shown?: number;
  /** They count in timecode: what that of the media's first frame shows, in milliseconds. */
  readonly clock?: number;
};

/** Closed captions as side data of small pictures, as many as the target has. */
export type CaptionCarrier = {
  /** Its file in the attempt's folder. */
  readonly id: string;
  readonly rate: Rational;
  readonly seconds: number;
  /** The texts are services of CEA-708 as well. */
  readonly asServices?: true;
  readonly tracks: readonly {
    readonly uri: string;
    readonly field: 1 | 2;
    readonly from: number;
    readonly to?: number;
    readonly clock?: number;
    readonly shown?: number;
  }[];
};

/** A track that is decoded once to measure it. */
export type Measure = {
  /** The result's id. */
  readonly id: string;
  readonly source: VirtualSource;
  readonly track: number;
  /** The last filters only listen. They write to ffmpeg's own log, or into a file of notes under the result's id. */
  readonly filters: readonly Filter[];
  readonly parser: ParserName;
  readonly says: "log" | "notes";
  /** What the parser must know, when it is measured at all, and what counts where it is not. */
  readonly options?: NonNullable<StepOf<"ffmpeg">["results"]>[string]["options"];
  readonly onlyIf?: StepOf<"ffmpeg">["onlyIf"];
  readonly otherwise?: NonNullable<StepOf<"ffmpeg">["results"]>[string]["otherwise"];
  /** The track goes through an encoder and back before the filters hear it. */
  readonly encoded?: Pick<StreamRecipe, "filters" | "options" | "fdkaac">;
};

/** Targets that are cut alike, made together from one decode. */
export type Timeline = { readonly source: VirtualSource; readonly targets: readonly TargetRecipe[] };
