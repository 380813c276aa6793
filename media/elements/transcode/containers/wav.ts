import { toNumber } from "../../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../../shared/model/asset.ts";
import { constantRate, mainVideo } from "../../../formats/stream-timing.ts";
import { timecodeToFrames } from "../../../formats/timecode.ts";
import { selectedTimecode } from "../../../virtual-source/clock-time.ts";
import type { Target } from "../target-schema.ts";
import { type Container, nothing } from "./container.ts";

export const wav: Container = {
  kinds: ["wav"],
  extensions: [".wav"],
  muxer: "wav",
  probed: "wav",
  channelNames: "masks",
  video: nothing,
  audio: /^pcm_(u8|s16le|s24le|s32le|s64le|f32le|f64le|alaw|mulaw)$/,
  // The broadcast form has one chunk more, which says where the sound comes from.
  options: ({ target }) => ({ write_bext: isBroadcast(target) ? 1 : undefined }),
};

const isBroadcast = ({ audio = [] }: Target): boolean => audio.some(({ pcm_wrapping }) => pcm_wrapping === "bwf");

/** What the chunk says: by which samples since midnight the first one is known, and whose file it is. */
export const broadcastTags = (target: Target, facts: MediaFacts, sampleRate: number): Record<string, string> => {
  if (!isBroadcast(target)) return {};
  const { title, author } = target.container ?? {};
  const began = samplesSinceMidnight(facts, sampleRate);
  return {
    ...(began !== undefined && { time_reference: String(began) }),
    ...originOf(facts),
    ...(title && { description: title.slice(0, 256) }),
    originator: (author || "Mediafarm").slice(0, 32),
  };
};

/** When the source was made, as it tells itself; what it does not tell stays empty. Of ten and eight characters. */
const originOf = ({ encoded = "" }: MediaFacts): Record<string, string> => {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})\D(\d\d)\D(\d\d)(?:[T ](\d\d)\D(\d\d)\D(\d\d))?/.exec(encoded) ?? [];
  return {
    ...(year && { origination_date: `${year}-${month}-${day}` }),
    ...(hour && { origination_time: `${hour}:${minute}:${second}` }),
  };
};

const samplesSinceMidnight = (facts: MediaFacts, sampleRate: number): number | undefined => {
  const { sinceMidnight } = facts;
  const text = selectedTimecode(facts);
  const picture = mainVideo(facts);
  const rate = picture && (constantRate(picture) ?? picture.averageFrameRate);
  const frames = text === undefined || !rate ? undefined : timecodeToFrames(text, rate);
  if (frames !== undefined && rate) return Math.round((frames / toNumber(rate)) * sampleRate);
  // Multiplied first: seconds as a number lose samples late in the day.
  return sinceMidnight && Math.round((sinceMidnight.num * sampleRate) / sinceMidnight.den);
};
