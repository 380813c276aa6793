import { constantRate, zeroOf } from "../../../../media/formats/stream-timing.ts";
import { buildFileSource } from "../../../../media/virtual-source/file-source.ts";
import { type Rational, toFraction, toSeconds } from "../../../../shared/basics/rational.ts";
import type { MediaFacts, VideoFacts } from "../../../../shared/model/asset.ts";
import type { Edit } from "../../../../shared/model/edit-list.ts";

/** What a file is taken for, in lines. */
export const readingOf = (facts: MediaFacts): string[] => {
  const film = buildFileSource({ uri: "file:///clip", facts }, "clip");
  const { duration } = film.timing;
  return [
    ...facts.video.map(videoLine),
    ...soundLines(facts),
    `${duration ? toSeconds(duration) : "?"} s from ${toSeconds(zeroOf(facts))}`,
    ...film.facts.video.flatMap(({ start }) =>
      start && start.num > 0 ? [`picture late by ${toSeconds(start)} s`] : [],
    ),
    ...facts.video.flatMap(({ edits = [] }) => (edits.every(isPlain) && edits.length < 2 ? [] : edits.map(editLine))),
    ...(facts.timecodes ?? []).map(({ kind, value }) => `timecode ${value} (${kind})`),
    ...(facts.sections ?? []).map(({ from, to, title }) => `section ${toSeconds(from)}-${toSeconds(to)} ${title}`),
  ];
};

const isPlain = ({ mediaTime }: Edit) => mediaTime !== undefined && mediaTime.num / mediaTime.den < 0.1;

const editLine = ({ mediaTime, duration }: Edit) =>
  `edit of ${toSeconds(duration)} s ${mediaTime ? `at ${toSeconds(mediaTime)} s` : "of nothing"}`;

const videoLine = (video: VideoFacts): string => {
  const rate = constantRate(video);
  const words = [
    `video ${video.codec} ${video.width}x${video.height} at ${rate ? toFraction(rate) : `varying ${average(video.averageFrameRate)}`}`,
    video.fieldOrder && video.fieldOrder !== "progressive" && video.fieldOrder,
    video.colorTransfer,
    video.hdr && JSON.stringify(video.hdr),
  ];
  return words.filter(Boolean).join(", ");
};

const average = (rate: Rational | undefined) => (rate ? (rate.num / rate.den).toFixed(2) : "?");

const soundLines = ({ audio }: MediaFacts): string[] => {
  const [first] = audio;
  if (!first) return [];
  return [
    `${audio.length} sound ${first.codec} ${first.channels} ch from ${first.start ? toSeconds(first.start) : "?"}`,
  ];
};
