import { xmlAttributes, xmlText } from "../../shared/basics/xml-text.ts";
import type { DescribedMedia } from "../../shared/work/media-steps/describe-media.ts";
import { languageTag } from "./language-tag.ts";
import { largest } from "./largest.ts";
import type { MediaIndex } from "./media-index.ts";
import { onDemandProfile, segmentBase } from "./segment-base.ts";

/** A rendition and its index; subtitles in one file of text have none. */
export type Indexed = { readonly media: DescribedMedia; readonly index: MediaIndex | undefined };

/** A DASH manifest over existing files, by their own indexes or with lists of their byte ranges (ISO/IEC 23009-1). */
export const dashManifest = (renditions: readonly Indexed[]): string => {
  const seconds = Math.max(0, ...renditions.map(({ index }) => (index ? lengthOf(index) : 0)));
  const longest = largest(
    renditions.flatMap(({ index }) => index?.segments.map(({ duration }) => duration / index.timescale) ?? []),
    1,
  );
  const sets = Map.groupBy(renditions, ({ media }) => media.set);
  const isOnDemand = renditions.every(({ index }) => !index || index.index);
  const profile = isOnDemand ? onDemandProfile : "urn:mpeg:dash:profile:full:2011";
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="${profile}" type="static" minBufferTime="PT${longest.toFixed(3)}S" mediaPresentationDuration="PT${seconds.toFixed(3)}S">`,
    '  <Period id="0">',
    ...[...sets.values()].flatMap(adaptationSet),
    "  </Period>",
    "</MPD>",
    "",
  ].join("\n");
};

const lengthOf = ({ segments, timescale }: MediaIndex): number =>
  segments.reduce((sum, { duration }) => sum + duration, 0) / timescale;

const adaptationSet = (members: readonly Indexed[], number: number): string[] => {
  const [first] = members;
  if (!first) return [];
  const { kind, language } = first.media;
  const head = xmlAttributes({
    id: number,
    contentType: kind,
    lang: language && languageTag(language),
    segmentAlignment: kind === "text" ? undefined : "true",
  });
  const role = kind === "text" ? ['      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="subtitle"/>'] : [];
  return [
    `    <AdaptationSet${head}>`,
    ...role,
    ...members.flatMap((each, at) => representation(each, `${number}_${at}`)),
    "    </AdaptationSet>",
  ];
};

const representation = ({ media, index }: Indexed, id: string): string[] => {
  const { kind, codecs, width, height, frameRate, sampleRate, channels, dashUrl } = media;
  const mimeType = kind === "text" ? "text/vtt" : `${kind}/mp4`;
  const size = { width, height, frameRate, audioSamplingRate: sampleRate };
  const head = xmlAttributes({ id, bandwidth: index ? peakOf(index) : 256, codecs, mimeType, ...size });
  const speakers =
    channels === undefined
      ? []
      : [
          `        <AudioChannelConfiguration schemeIdUri="urn:mpeg:dash:23003:3:audio_channel_configuration:2011" value="${channels}"/>`,
        ];
  return [
    `      <Representation${head}>`,
    ...speakers,
    `        <BaseURL>${xmlText(dashUrl)}</BaseURL>`,
    ...(index ? segmentsOf(index) : []),
    "      </Representation>",
  ];
};

const peakOf = ({ segments, timescale }: MediaIndex): number =>
  Math.ceil(
    largest(
      segments.map(({ length, duration }) => (8 * length * timescale) / Math.max(1, duration)),
      1,
    ),
  );

const segmentsOf = (index: MediaIndex): string[] => {
  const { from, length } = index.index ?? { from: 0, length: 0 };
  return length > 0 ? segmentBase(index.head, from, length).map((line) => `        ${line}`) : segmentList(index);
};

const segmentList = ({ timescale, head, segments }: MediaIndex): string[] => [
  `        <SegmentList timescale="${timescale}">`,
  `          <Initialization range="0-${head - 1}"/>`,
  "          <SegmentTimeline>",
  ...segments.map(({ start, duration }) => `            <S t="${start}" d="${duration}"/>`),
  "          </SegmentTimeline>",
  ...segments.map(({ from, length }) => `          <SegmentURL mediaRange="${from}-${from + length - 1}"/>`),
  "        </SegmentList>",
];
