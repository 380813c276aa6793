import type { Options } from "../../../ffmpeg/args.ts";
import type { ContainerTarget } from "./schema.ts";

/** One container: a file of its own and a line in the list. */
export type Container = {
  /** As jobs write it. */
  readonly kinds: readonly string[];
  /** With their dots; the first one is the default. */
  readonly extensions: readonly [string, ...string[]];
  /** As ffmpeg names it. */
  readonly muxer: string;
  /** Every picture is a file. */
  readonly isImages: boolean;
  /** Codecs that it holds, as ffprobe names them. */
  readonly video: RegExp;
  readonly audio: RegExp;
  /** Has a track for timecode. */
  readonly hasTimecode: boolean;
  /** Formats in which it holds uncoded pictures; absent: all, or none. */
  readonly rawFormats?: readonly string[];
  readonly options: (container: ContainerTarget, path: string) => Options;
};
