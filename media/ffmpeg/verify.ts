import { toNumber, toSeconds } from "../../shared/basics/rational.ts";
import type { MediaFacts } from "../../shared/model/asset.ts";
import type { Expectation } from "../../shared/work/work.ts";
import { shownDuration } from "../formats/stream-timing.ts";

/** What an output is and should not be, one sentence each; none means it is as asked. Files are counted elsewhere. */
export const unmetExpectations = (expect: Expectation, facts: MediaFacts, frames?: number): string[] => [
  ...unmetVideo(expect.video, facts),
  ...unmetFrames(expect.video?.frames, frames),
  ...unmetAudio(expect.audio, facts),
  ...unmetSubtitles(expect.subtitles, facts),
  ...unmetDuration(expect.duration, facts),
  ...unmetTimecode(expect.timecode, facts),
];

const unmetVideo = (expect: Expectation["video"], { video }: MediaFacts): string[] => {
  if (!expect) return [];
  const found = video.find(({ isCover }) => !isCover);
  if (!found) return ["there is no video, although it was asked for"];
  const { codec, width = found.width, height = found.height } = expect;
  return [
    found.codec !== codec && `video is ${found.codec}, ${codec} was asked for`,
    (found.width !== width || found.height !== height) &&
      `video is ${found.width}x${found.height}, ${width}x${height} was asked for`,
  ].filter((sentence) => sentence !== false);
};

const unmetFrames = (expect: NonNullable<Expectation["video"]>["frames"], frames: number | undefined): string[] =>
  expect && frames !== undefined && Math.abs(frames - expect.count) > expect.tolerance
    ? [`it has ${frames} pictures, ${expect.count} of the source were to be in it`]
    : [];

const unmetAudio = (expect: Expectation["audio"], { audio }: MediaFacts): string[] => {
  if (!expect) return [];
  if (audio.length !== expect.length) {
    return [`there are ${audio.length} audio tracks, ${expect.length} were asked for`];
  }
  return expect.flatMap(({ codec, channels }, track) => {
    const found = audio[track];
    if (!found) return [];
    return [
      found.codec !== codec && `audio track ${track} is ${found.codec}, ${codec} was asked for`,
      channels !== undefined &&
        found.channels !== channels &&
        `audio track ${track} has ${found.channels} channels, ${channels} were asked for`,
    ].filter((sentence) => sentence !== false);
  });
};

const unmetSubtitles = (expect: Expectation["subtitles"], { others }: MediaFacts): string[] => {
  const found = others.filter(({ kind }) => kind === "subtitle").length;
  if (expect === undefined || found === expect) return [];
  return [`there are ${found} tracks of subtitles, ${expect} were asked for`];
};

const unmetDuration = (expect: Expectation["duration"], facts: MediaFacts): string[] => {
  if (!expect) return [];
  const duration = shownDuration(facts);
  if (!duration) return ["its duration is unknown"];
  if (Math.abs(toNumber(duration) - expect.seconds) <= expect.tolerance) return [];
  return [`it lasts ${toSeconds(duration)} s, ${toSeconds(expect.seconds)} s were expected`];
};

const unmetTimecode = (expect: Expectation["timecode"], { timecode }: MediaFacts): string[] => {
  if (expect === undefined || timecode === expect) return [];
  return [`its first timecode is ${timecode ?? "missing"}, ${expect} was asked for`];
};
