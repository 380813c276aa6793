import { mp4Texts } from "../subtitles/forms.ts";
import { type Container, nothing } from "./container.ts";
import { buildMovflags, movOptions } from "./options/movflags.ts";

export const mp4: Container = {
  kinds: ["mp4"],
  extensions: [".mp4", ".m4v", ".m4a"],
  muxer: "mp4",
  family: "mp4",
  video: nothing,
  audio: /^dts$/,
  texts: mp4Texts,
  hasTimecode: true,
  needsDataTracks: true,
  options: movOptions,
};

/** One file in fragments, each of which begins with a keyframe, with an index of them all for DASH. */
export const fmp4: Container = {
  ...mp4,
  kinds: ["fmp4"],
  extensions: [".mp4"],
  layout: "fragments",
  options: (context) => {
    // The index waits for the first fragment: only then ffmpeg knows the form of AC-3, and how early the sound begins.
    const flags = ["frag_keyframe", "delay_moov", "default_base_moof", "global_sidx", ...buildMovflags(context)];
    const { segment_duration_sec: seconds } = context.container;
    const length = seconds === undefined ? {} : lengthOf(seconds, context.video !== undefined);
    return { ...movOptions(context), ...length, movflags: `+${[...new Set(flags)].join("+")}` };
  },
};

/** Fragments begin at key frames; sound alone has none, and is cut by its length. Microseconds. */
const lengthOf = (seconds: number, hasVideo: boolean) =>
  hasVideo ? { min_frag_duration: Math.round(seconds * 1e6) - 1000 } : { frag_duration: Math.round(seconds * 1e6) };

/** Microsoft's smooth streaming: fragments again, with its own boxes. */
export const ismv: Container = {
  kinds: ["ismv"],
  extensions: [".ismv", ".isma"],
  muxer: "ismv",
  video: /^h264$/,
  audio: /^aac$/,
  // It has no edit list: what an encoder puts before zero would make all sound late.
  options: ({ audio }) => (audio.length > 0 ? { "bsf:a": "noise=drop='lt(pts,0)'" } : {}),
};

/** For telephones of the third generation. */
export const threegp: Container = {
  kinds: ["3gp"],
  extensions: [".3gp"],
  muxer: "3gp",
  video: /^(h264|mpeg4)$/,
  audio: /^aac$/,
  options: ({ container }) => ({ brand: container.brand }),
};
