import { add, compare, min, multiply, type Rational, ratio, subtract, toNumber } from "../../shared/basics/rational.ts";
import type { MediaFacts, VideoFacts } from "../../shared/model/asset.ts";

/** How much sound before the first picture counts as priming, which is dropped. Seconds. */
const priming = ratio(1, 10);

/**
 * The time stamp that "zero seconds" of a file means: its first instant, but never one before zero, because that is
 * priming hidden by an edit list. Only the clock of a stream is said to begin before zero if it soon starts again. If the picture begins a moment after the sound, it is the first picture.
 */
export const zeroOf = (facts: MediaFacts): Rational => {
  const start = shownStart(facts);
  const first = start && (start.num > 0 || hasClock(facts)) ? start : ratio(0);
  const main = mainVideo(facts);
  const picture = main && asShown(main).start;
  if (!picture) return first;
  const lead = subtract(picture, first);
  return lead.num > 0 && compare(lead, priming) <= 0 ? picture : first;
};

/** Whether a file's times are those of a clock that ran on when it was written (ISO/IEC 13818-1). */
export const hasClock = ({ format }: Pick<MediaFacts, "format">): boolean => format === "mpegts" || format === "mpeg";

/** Data that nobody sees or hears may begin before everything else, as cues of a transport stream do. */
const shownStart = ({ start, video, audio, others }: MediaFacts): Rational | undefined => {
  const shown = [...video.filter(({ isCover }) => !isCover), ...audio].flatMap((each) => each.start ?? []);
  if (!start || shown.length === 0) return start;
  const first = shown.reduce(min);
  const isLed = others.some((each) => each.kind === "data" && each.start && compare(each.start, first) < 0);
  return isLed && compare(start, first) < 0 ? first : start;
};

/** How long pictures and sound last: cues that come before them do not count. Seconds. */
export const shownDuration = (facts: MediaFacts): Rational | undefined => {
  const { start, duration } = facts;
  const first = shownStart(facts);
  if (!start || !duration || !first) return duration;
  return subtract(isFromZero(facts) ? duration : add(start, duration), first);
};

/** The source's first moving picture. */
export const mainVideo = ({ video }: MediaFacts): VideoFacts | undefined => video.find(({ isCover }) => !isCover);

/** The rate if every frame lasts equally long, as far as the container tells. */
export const constantRate = ({
  frameRate,
  averageFrameRate,
  timeBase,
  isVariable,
}: VideoFacts): Rational | undefined => {
  if (!frameRate || isVariable) return undefined;
  // MXF counts in frames, and sometimes has no average rate.
  if (compare(multiply(timeBase, frameRate), ratio(1)) === 0) return frameRate;
  if (!averageFrameRate) return undefined;
  return Math.abs(toNumber(averageFrameRate) / toNumber(frameRate) - 1) < 0.002 ? frameRate : undefined;
};

// Elementary streams have no times: ffprobe estimates their duration from the bit rate.
const guessedDurations = ["h264", "hevc", "m4v", "mpegvideo", "aac", "mp3", "ac3", "eac3", "dts"];

/** Matroska counts its duration from time stamp zero, wherever its first block is. */
const isFromZero = ({ format, start, duration }: MediaFacts): boolean =>
  format.startsWith("matroska") && start !== undefined && start.num > 0 && compare(duration ?? start, start) > 0;

/** Seconds from zero to the end, if the container's value can be trusted. */
export const durationFromZero = (facts: MediaFacts): Rational | undefined => {
  const { format, duration, start = ratio(0) } = facts;
  if (!duration || guessedDurations.includes(format)) return undefined;
  return subtract(isFromZero(facts) ? duration : add(start, duration), zeroOf(facts));
};

/** Of a picture's time, what counts as no part: scales round. */
const whole = 0.02;

/**
 * Of each part that an edit list shows: the time from its beginning to the first picture that begins within it; zero
 * where it begins with a picture. What an encoder's reordering adds to the times of its media are whole pictures.
 */
export const partialStarts = (video: VideoFacts): Rational[] => {
  const rate = constantRate(video);
  if (!rate) return [];
  return (video.edits ?? []).flatMap(({ mediaTime }) => {
    if (!mediaTime) return [];
    const pictures = toNumber(multiply(mediaTime, rate));
    const begun = Math.floor(pictures);
    const isWhole = pictures - begun < whole || pictures - begun > 1 - whole;
    return isWhole ? ratio(0) : subtract(ratio((begun + 1) * rate.den, rate.num), mediaTime);
  });
};

/**
 * By how much ffmpeg has pictures too early: it leaves out the one of which an edit list shows only the end, and puts the
 * next one in its place. Undefined for edit lists of several parts, each of which is early by a time of its own.
 */
export const lateBy = (video: VideoFacts): Rational | undefined => {
  const [early, second] = partialStarts(video);
  return second === undefined && early && early.num > 0 ? early : undefined;
};

/** The picture with the times at which it is shown, where those that ffmpeg tells are early. */
export const asShown = (video: VideoFacts): VideoFacts => {
  const late = lateBy(video);
  if (!late) return video;
  const { start = ratio(0), duration } = video;
  return { ...video, start: add(start, late), ...(duration && { duration: subtract(duration, late) }) };
};
