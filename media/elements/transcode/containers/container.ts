import type { DescribedMedia } from "../../../../shared/work/media-steps/describe-media.ts";
import type { FormName } from "../../../../shared/work/subtitle-forms.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import type { Conflict } from "../conflicts/conflict.ts";
import type { TrackForm } from "../subtitles/forms.ts";
import type { Target } from "../target-schema.ts";
import type { ContainerTarget } from "./schema.ts";

/** What a container's options may depend on. */
export type ContainerContext = {
  /** With the defaults of the fields that the job leaves out. */
  readonly container: ContainerTarget;
  readonly target: Target;
  /** The file's name. */
  readonly name: string;
  /** Codecs of the streams it gets, as ffprobe names them. */
  readonly video: string | undefined;
  readonly audio: readonly string[];
  /** Which of them are adaptation sets of DASH. */
  readonly sets?: string;
  /** The path of the container's fields in the job: `uid.payload.targets[0].container`. */
  readonly path: string;
  readonly conflict: Conflict;
};

/** Containers that are open to new codecs, those with the same contents under one name. */
export type Family = "avi" | "mov" | "mp4" | "mxf" | "mpegts" | "segmented_ts" | "hls" | "dash" | "program_stream";

/** One container: a file of its own and a line in the list. */
export type Container = {
  /** As jobs write it. */
  readonly kinds: readonly string[];
  /** With their dots; the first one is the default. */
  readonly extensions: readonly [string, ...string[]];
  /** As ffmpeg names it. */
  readonly muxer: string;
  /** ffprobe's name for such a file; absent: no source is recognised as one. */
  readonly probed?: string;
  /** It is a file of subtitles in this form, and nothing else. */
  readonly text?: FormName;
  /** Forms of subtitle tracks that it holds beside pictures and sound; the first one is usual. */
  readonly texts?: Readonly<Record<string, TrackForm>>;
  /** Every picture is a file. */
  readonly isImages?: boolean;
  /** A manifest and the media that it names, in one folder. */
  readonly isPackage?: boolean;
  /** Files numbered in a row that play one after the other. */
  readonly isSegments?: boolean;
  /** How manifests take parts of it; absent: they cannot name it. */
  readonly layout?: DescribedMedia["layout"];
  /** Names of a package's segments, where the muxer does not make them itself. */
  readonly segmentPattern?: (context: ContainerContext) => string;
  /** Holds only one stream. */
  readonly isElementary?: boolean;
  /** Has no stamps: nobody can tell exactly how long it lasts. */
  readonly isTimeless?: boolean;
  /** Has no header: nobody can tell what it holds. */
  readonly isBare?: boolean;
  /** Holds sound only beside pictures. */
  readonly needsVideo?: boolean;
  /** Codecs name the families of containers that take them. */
  readonly family?: Family | undefined;
  /** Further codecs that it takes, as ffprobe names them: all that its standard knows, or those that are only copied. */
  readonly video: RegExp;
  readonly audio: RegExp;
  /** Holds the sound of each picture with it: both are equally long. */
  readonly isInterleavedByPicture?: boolean;
  /**
   * How it names channels of uncompressed sound: each by a label, by a symbol where the standards have one, or all by a
   * mask that sets their order; absent: not.
   */
  readonly channelNames?: "labels" | "symbols" | "masks";
  /** Sample rates of the sound that it holds; absent: all. */
  readonly sampleRates?: readonly number[];
  /** The form of uncompressed sound of so many bits where the job names none; absent: little endian. */
  readonly pcm?: (bits: number) => string;
  /** Has a place for the first frame's timecode: always, or only where data tracks are enabled. */
  readonly hasTimecode?: boolean;
  readonly needsDataTracks?: boolean;
  /** Formats in which it holds uncoded pictures; absent: all, or none. */
  readonly rawFormats?: readonly string[];
  /** The bitstream filter for copied pictures of a codec, where the muxer does not use it by itself. */
  readonly copying?: (codec: string) => string | undefined;
  /** The muxer's options; absent: none. */
  readonly options?: (context: ContainerContext) => Options;
};

/** Matches no codec. */
export const nothing = /^$/;
