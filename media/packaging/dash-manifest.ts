import { xmlAttributes, xmlText } from "../../shared/basics/xml-text.ts";
import type { DescribedMedia } from "../../shared/work/media-steps/describe-media.ts";
import { announcements } from "./dash-set.ts";
import { languageTag } from "./language-tag.ts";
import { largest } from "./largest.ts";
import type { MediaIndex } from "./media-index.ts";
import { peakRate } from "./peak-rate.ts";
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
  const sets = Map.groupBy(renditions, setOf);
  const isOnDemand = renditions.every(({ index }) => !index || index.index);
  const profile = isOnDemand ? onDemandProfile : "urn:mpeg:dash:profile:full:2011";
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="${profile}" type="static" minBufferTime="PT${longest.toFixed(3)}S" mediaPresentationDuration="PT${seconds.toFixed(3)}S">`,
    '  <Period id="0">',
    ...[...sets.values()].flatMap((members, number) => adaptationSet(members, number, isOnDemand)),
    "  </Period>",
    "</MPD>",
    "",
  ].join("\n");
};

/** Streams of one set may take each other's place, so they have one codec and one number of channels. */
const setOf = ({ media: { set, codecs = "", channels } }: Indexed): string =>
  [set, codecs.replace(/\..*/, ""), String(channels ?? "")].join(" ");

const lengthOf = ({ segments, timescale }: MediaIndex): number =>
  segments.reduce((sum, { duration }) => sum + duration, 0) / timescale;

const adaptationSet = (members: readonly Indexed[], number: number, isOnDemand: boolean): string[] => {
  const [first] = members;
  if (!first) return [];
  const { kind, language, transfer } = first.media;
  // Every fragment is an access point: readMediaIndex takes fragments for segments.
  const points = isOnDemand
    ? { subsegmentAlignment: "true", subsegmentStartsWithSAP: 1 }
    : { segmentAlignment: "true", startWithSAP: 1 };
  const head = xmlAttributes({
    ...{ id: number, contentType: kind, lang: language && languageTag(language) },
    ...(kind === "text" ? {} : points),
  });
  const captions = members.some(({ media }) => media.hasCaptions) ? ["CC1"] : [];
  const roles = [...(kind === "text" ? ["subtitle"] : []), ...(first.media.roles ?? [])];
  return [
    `    <AdaptationSet${head}>`,
    ...(first.media.label === undefined ? [] : [`      <Label>${xmlText(first.media.label)}</Label>`]),
    ...announcements({ transfer, captions }).map((line) => `      ${line}`),
    ...roles.map((role) => `      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="${role}"/>`),
    ...members.flatMap((each, at) => representation(each, each.media.id ?? `${number}_${at}`)),
    "    </AdaptationSet>",
  ];
};

const representation = ({ media, index }: Indexed, id: string): string[] => {
  const { kind, codecs, width, height, frameRate, sampleRate, channels, dashUrl } = media;
  const mimeType = kind === "text" ? "text/vtt" : `${kind}/mp4`;
  const size = { width, height, frameRate, audioSamplingRate: sampleRate };
  const head = xmlAttributes({ id, bandwidth: index ? bandwidthOf(index) : 256, codecs, mimeType, ...size });
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

const bandwidthOf = ({ segments, timescale }: MediaIndex): number => {
  const rated = segments.map(({ length, duration }) => ({ seconds: duration / timescale, bits: 8 * length }));
  const longest = largest(
    rated.map(({ seconds }) => seconds),
    0.001,
  );
  return Math.max(1, Math.ceil(peakRate(rated, longest) - 1e-6));
};

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
