import { xmlAttributes } from "../../shared/basics/xml-text.ts";
import { TaskError } from "../../shared/model/failure.ts";
import type { SmoothTrack } from "../../shared/work/media-steps/describe-smooth.ts";
import { largest } from "./largest.ts";
import type { MediaIndex } from "./media-index.ts";
import type { SmoothCodec } from "./smooth-codec.ts";

/** A file of Smooth Streaming as it was read. */
export type SmoothMedia = { readonly track: SmoothTrack; readonly index: MediaIndex; readonly codec: SmoothCodec };

/** One stream that players choose from; several levels may take each other's place at every fragment. */
export type SmoothStream = {
  /** Part of the address of each fragment. */
  readonly name: string;
  readonly levels: readonly (SmoothMedia & {
    /** Bits a second; no two levels have the same. */ readonly bitrate: number;
  })[];
};

/** Ticks a second in both manifests and in the files (MS-SSTR, 2.2.2.1). */
export const smoothTimescale = 10_000_000;

/** All pictures are one stream, each sound is one. Throws TaskError `media` where pictures begin segments at other times. */
export const smoothStreams = (media: readonly SmoothMedia[]): SmoothStream[] => {
  const videos = media.filter(({ track }) => track.kind === "video");
  refuseUneven(videos);
  const taken = new Set<string>();
  const sounds = media.filter(({ track }) => track.kind === "audio");
  return [
    ...(videos.length > 0 ? [{ name: "video", levels: withBitrates(videos) }] : []),
    ...sounds.map((sound) => ({ name: nameOf(sound, taken), levels: withBitrates([sound]) })),
  ];
};

const refuseUneven = (videos: readonly SmoothMedia[]): void => {
  const [first, ...others] = videos;
  const uneven = others.find((each) => timesOf(each) !== (first && timesOf(first)));
  if (first && uneven)
    throw new TaskError(
      "media",
      `${uneven.track.file} and ${first.track.file} begin their segments at different times: give their targets the same distance between key frames`,
    );
};

const timesOf = ({ index }: SmoothMedia): string =>
  index.segments.map(({ start, duration }) => `${start}+${duration}`).join();

const nameOf = ({ track }: SmoothMedia, taken: Set<string>): string => {
  const wanted = track.name ?? (track.language ? `audio_${track.language.replaceAll(/[^A-Za-z0-9]/g, "")}` : "audio");
  let name = wanted;
  for (let nr = 2; taken.has(name); nr += 1) name = `${wanted}_${nr}`;
  taken.add(name);
  return name;
};

const withBitrates = (media: readonly SmoothMedia[]): SmoothStream["levels"] => {
  const taken = new Set<number>();
  return media.map((each) => {
    let bitrate = bitrateOf(each);
    while (taken.has(bitrate)) bitrate += 1;
    taken.add(bitrate);
    return { ...each, bitrate };
  });
};

const bitrateOf = ({ index: { segments, timescale } }: SmoothMedia): number => {
  const bytes = segments.reduce((sum, { length }) => sum + length, 0);
  const ticks = segments.reduce((sum, { duration }) => sum + duration, 0);
  return Math.max(1, Math.round((bytes * 8 * timescale) / Math.max(1, ticks)));
};

const ticksOf = (time: number, { timescale }: MediaIndex): number => Math.round((time * smoothTimescale) / timescale);

const lengthOf = ({ segments }: MediaIndex): number =>
  segments.reduce((end, { start, duration }) => Math.max(end, start + duration), 0);

/** What players read (MS-SSTR, 2.2.2). They ask the server for fragments by bit rate, name and time. */
export const clientManifest = (streams: readonly SmoothStream[]): string => {
  const ends = streams.flatMap(({ levels }) => levels.map(({ index }) => ticksOf(lengthOf(index), index)));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<SmoothStreamingMedia${xmlAttributes({ MajorVersion: 2, MinorVersion: 0, TimeScale: smoothTimescale, Duration: largest(ends, 0) })}>`,
    ...streams.flatMap(streamIndex),
    "</SmoothStreamingMedia>",
    "",
  ].join("\n");
};

const streamIndex = ({ name, levels }: SmoothStream): string[] => {
  const [first] = levels;
  if (!first) return [];
  const { track, index } = first;
  const [widths, heights] = [levels.map(({ track }) => track.width ?? 0), levels.map(({ track }) => track.height ?? 0)];
  const [width, height] = track.kind === "video" ? [largest(widths, 0), largest(heights, 0)] : [];
  const head = xmlAttributes({
    ...{ Type: track.kind, Name: name, Language: track.language, TimeScale: smoothTimescale },
    ...{ Chunks: index.segments.length, QualityLevels: levels.length },
    ...{ MaxWidth: width, MaxHeight: height, DisplayWidth: width, DisplayHeight: height },
    Url: `QualityLevels({bitrate})/Fragments(${name}={start time})`,
  });
  return [
    `  <StreamIndex${head}>`,
    ...levels.map((level, nr) => `    <QualityLevel${xmlAttributes({ Index: nr, ...levelOf(level) })}/>`),
    ...index.segments.map(
      ({ start, duration }) => `    <c${xmlAttributes({ t: ticksOf(start, index), d: ticksOf(duration, index) })}/>`,
    ),
    "  </StreamIndex>",
  ];
};

const levelOf = ({ track, bitrate, codec }: SmoothStream["levels"][number]) => {
  const common = { Bitrate: bitrate, FourCC: codec.fourCc, CodecPrivateData: codec.privateData };
  if (track.kind === "video") return { ...common, MaxWidth: track.width, MaxHeight: track.height };
  // 255 is the tag of raw AAC; decoders read the rest from the private data.
  return { ...common, SamplingRate: track.sampleRate, Channels: track.channels, ...rawAac };
};

const rawAac = { BitsPerSample: 16, PacketSize: 4, AudioTag: 255 };

/** What an origin server reads: a SMIL document that names the files, their bit rates and their tracks. */
export const serverManifest = (streams: readonly SmoothStream[], clientUrl: string): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<smil xmlns="http://www.w3.org/2001/SMIL20/Language">',
    "  <head>",
    `    <meta${xmlAttributes({ name: "clientManifestRelativePath", content: clientUrl })}/>`,
    "  </head>",
    "  <body>",
    "    <switch>",
    ...streams.flatMap(({ name, levels }) => levels.flatMap((level) => served(name, level))),
    "    </switch>",
    "  </body>",
    "</smil>",
    "",
  ].join("\n");

const served = (name: string, { track, bitrate }: SmoothStream["levels"][number]): string[] => [
  `      <${track.kind}${xmlAttributes({ src: track.url, systemBitrate: bitrate, systemLanguage: track.language })}>`,
  `        <param${xmlAttributes({ name: "trackID", value: 1, valuetype: "data" })}/>`,
  `        <param${xmlAttributes({ name: "trackName", value: name, valuetype: "data" })}/>`,
  `      </${track.kind}>`,
];
