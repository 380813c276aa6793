import { min, multiply, type Rational, ratio, round, toNumber } from "../../shared/basics/rational.ts";
import type { MediaFacts, VideoFacts } from "../../shared/model/asset.ts";
import { sourceError, TaskError } from "../../shared/model/failure.ts";
import type { PictureSize, Preview } from "../../shared/protocol/preview.ts";
import { summaryOf } from "../formats/media-summary.ts";
import { constantRate, durationFromZero, mainVideo } from "../formats/stream-timing.ts";

/** Samples in a second of a preview's sound, and in one AAC block of it. */
export const soundRate = 48_000;
export const blockSamples = 1024;

const longestSeconds = 24 * 3600;
/** A picture of more pixels would take more memory than a preview is worth. */
const mostPixels = 16_384 * 8192;

/** The preview of a file with these facts. Throws TaskError in words if it can have none. */
export const planPreview = (facts: MediaFacts): Preview => {
  const video = mainVideo(facts);
  const hasSound = facts.audio.length > 0;
  if (!video && !hasSound) throw sourceError("The file has neither picture nor sound");
  if (video && video.width * video.height > mostPixels)
    throw new TaskError("resources", `A picture of ${video.width}×${video.height} is too large for a preview`);
  const rate = video ? pictureRate(video) : ratio(soundRate, blockSamples);
  const steps = Math.max(1, round(multiply(lengthOf(facts), rate)));
  const picture = video ? previewSize(video) : null;
  const source = summaryOf(facts).slice(0, 2000);
  return { rate, steps, picture, hasSound, ...(facts.timecode && { timecode: facts.timecode.slice(0, 100) }), source };
};

/** The length of raw streams is an estimate; a single picture has none. */
const lengthOf = (facts: MediaFacts): Rational => {
  const length = durationFromZero(facts) ?? facts.duration;
  if (length && length.num > 0) return min(length, ratio(longestSeconds));
  if (facts.format.endsWith("_pipe")) return ratio(1, 25);
  throw sourceError("The length of the file is unknown, so no preview can be made of it");
};

const [lowestRate, highestRate] = [1, 60];

/** The rate of its frames; fast films show every second frame, or fewer. */
const pictureRate = (video: VideoFacts): Rational => {
  const own = constantRate(video) ?? video.averageFrameRate ?? video.frameRate ?? ratio(25);
  if (toNumber(own) < lowestRate) return ratio(5);
  return multiply(own, ratio(1, Math.ceil(toNumber(own) / highestRate - 0.01)));
};

const [longSide, shortSide] = [1280, 720];

/** At most 720 lines with square pixels, never enlarged, even sides. */
const previewSize = ({ width, height, pixelAspect = ratio(1) }: VideoFacts): PictureSize => {
  const shown = { width: width * toNumber(pixelAspect), height };
  const most = shown.width >= shown.height ? [longSide, shortSide] : [shortSide, longSide];
  const scale = Math.min(1, (most[0] ?? 0) / shown.width, (most[1] ?? 0) / shown.height);
  return { width: even(shown.width * scale), height: even(shown.height * scale) };
};

const stillWidth = 320;

/** The size of stills: small enough to load in an instant. */
export const stillSize = ({ width, height }: PictureSize): PictureSize => {
  const scale = Math.min(1, stillWidth / Math.max(width, height));
  return { width: even(width * scale), height: even(height * scale) };
};

const even = (side: number): number => Math.max(2, Math.round(side / 2) * 2);
