import { basenameOf } from "../../../../shared/files/location.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import { streamOffset } from "../../../packaging/stream-clock.ts";
import { type Container, type ContainerContext, nothing } from "./container.ts";
import { mp4 } from "./mp4.ts";
import { mpegts, transportOptions } from "./transport-stream.ts";

/** Seconds of a segment where the job does not say. */
export const defaultSegment = 6;

const secondsOf = ({ container }: ContainerContext): number => container.segment_duration_sec ?? defaultSegment;

/** A playlist and its transport stream segments, in one folder. */
export const hls: Container = {
  kinds: ["hls"],
  extensions: [".m3u8"],
  muxer: "hls",
  isPackage: true,
  layout: "playlist",
  family: "hls",
  video: nothing,
  audio: nothing,
  segmentPattern: ({ container, name }) => patternOf(container.segment_file_pattern, name, ".ts"),
  options: (context) => ({
    hls_time: secondsOf(context),
    hls_playlist_type: "vod",
    hls_list_size: 0,
    hls_segment_type: "mpegts",
    hls_flags: "independent_segments",
    ...sharedClock(context),
  }),
};

/** A manifest and its fragments. `dash-vod` has one file for each track, the others one for each segment. */
export const dash: Container = {
  kinds: ["dash-mp4", "dash-live", "dash-segment", "dash-vod"],
  extensions: [".mpd"],
  muxer: "dash",
  isPackage: true,
  family: "dash",
  video: nothing,
  audio: nothing,
  options: (context) => {
    // ffmpeg writes the names into XML as they are.
    const base = basenameOf(context.name).replaceAll(/[&<>"'$%#?]+/g, "_");
    return {
      seg_duration: secondsOf(context),
      // By itself the muxer makes WebM of some codecs, under names of MP4.
      dash_segment_type: "mp4",
      use_template: 1,
      use_timeline: 1,
      adaptation_sets: context.sets,
      ...(context.container.kind === "dash-vod"
        ? { single_file: 1, global_sidx: 1, single_file_name: `${base}_$RepresentationID$.mp4` }
        : {
            init_seg_name: `${base}_$RepresentationID$_init.mp4`,
            media_seg_name: `${base}_$RepresentationID$_$Number%05d$.m4s`,
          }),
    };
  },
};

/** Numbered files that play one after the other, each by itself. */
const numbered = (context: ContainerContext): Options => ({
  segment_time: secondsOf(context),
  segment_start_number: 0,
  // A frame's stamp can be a moment before or after its intended time.
  segment_time_delta: 0.001,
  reset_timestamps: 0,
});

const { texts: _bitmaps, ...transport } = mpegts;

export const segmentedTs: Container = {
  ...transport,
  kinds: ["segmented_ts"],
  muxer: "segment",
  isSegments: true,
  layout: "segments",
  // This muxer keeps the header of MPEG-4 to itself, without which no segment can be decoded.
  family: "segmented_ts",
  options: (context) => {
    const inner = Object.entries(transportOptions(context)).flatMap(([name, value]) =>
      value === undefined || value === 0 ? [] : [`${name}=${value}`],
    );
    return {
      ...numbered(context),
      segment_format: "mpegts",
      ...sharedClock(context),
      ...(inner.length > 0 && { segment_format_options: inner.join(":") }),
    };
  },
};

/** Files that one manifest names are played together. */
const sharedClock = ({ target }: ContainerContext): Options =>
  (target.manifest_uids ?? []).length > 0 ? { output_ts_offset: streamOffset } : {};

const { texts: _none, ...fragments } = mp4;

export const segmentedMp4: Container = {
  ...fragments,
  kinds: ["segmented_mp4"],
  muxer: "segment",
  isSegments: true,
  hasTimecode: false,
  options: (context) => ({
    ...numbered(context),
    segment_format: "mp4",
    // AC-3 is described by its first packets, for which the header waits.
    segment_format_options: "movflags=+frag_keyframe+delay_moov+default_base_moof",
  }),
};

/** `{target_basename}` is the manifest's name without its ending. */
export const patternOf = (pattern: string | undefined, name: string, extension: string): string => {
  const filled = (pattern ?? "{target_basename}_%05d{default_extension}")
    .replaceAll(/\.(?=\{default_extension\})/g, "")
    .replaceAll("{target_basename}", basenameOf(name))
    .replaceAll("{default_extension}", extension);
  const numberedName = /%0?\d*d/.test(filled) ? filled : filled.replace(/(\.[^.]*)?$/, "_%05d$1");
  return /\.[a-z0-9]+$/i.test(numberedName) ? numberedName : `${numberedName}${extension}`;
};
