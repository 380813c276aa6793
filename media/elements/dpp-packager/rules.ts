import { toNumber } from "../../../shared/basics/rational.ts";
import type { AudioFacts, MediaFacts, VideoFacts } from "../../../shared/model/asset.ts";
import type { Programme } from "./programme.ts";
import type { Shim } from "./shims.ts";
import { firstStart, framesOf, type Timeline } from "./timeline.ts";

/** What came in, and what is said of it. */
export type Delivery = {
  readonly shim: Shim;
  readonly facts: MediaFacts;
  readonly video: VideoFacts;
  readonly programme: Programme;
  readonly timeline: Timeline;
  readonly hasSidecar: boolean;
};

/** Every rule of the delivery that does not hold, one sentence each. */
export const brokenRules = (delivery: Delivery): string[] => [
  ...brokenPicture(delivery),
  ...brokenSound(delivery),
  ...brokenTimeline(delivery.timeline),
  ...(delivery.hasSidecar ? [...missing(delivery.programme), ...brokenMetadata(delivery)] : []),
];

const brokenPicture = ({ shim, video }: Delivery): string[] => {
  const wanted = Object.entries(shim.picture);
  const rate = video.frameRate ?? video.averageFrameRate;
  return [
    ...wanted.flatMap(([field, value]) =>
      Reflect.get(video, field) === value
        ? []
        : [`the picture's ${plain(field)} is ${Reflect.get(video, field) ?? "unknown"}, ${shim.name} has ${value}`],
    ),
    ...(rate && toNumber(rate) === 25
      ? []
      : [`the picture has ${rate ? toNumber(rate) : "an unknown number of"} frames a second, ${shim.name} has 25`]),
    ...(video.fieldOrder?.startsWith("t")
      ? []
      : [`the picture is ${video.fieldOrder ?? "progressive"}, ${shim.name} is interlaced, top field first`]),
  ];
};

const plain = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const brokenSound = ({ shim, facts }: Delivery): string[] => {
  const channels = channelsOf(facts.audio);
  return [
    ...(shim.channels.includes(channels)
      ? []
      : [`there are ${channels} channels of sound, ${shim.name} has ${shim.channels.join(" or ")}`]),
    ...facts.audio.flatMap(({ codec, sampleRate }, track) => [
      ...(codec.startsWith("pcm_") ? [] : [`audio track ${track} is ${codec}, ${shim.name} has PCM`]),
      ...(sampleRate === 48_000
        ? []
        : [`audio track ${track} has ${sampleRate} samples a second, ${shim.name} has 48000`]),
    ]),
  ];
};

export const channelsOf = (audio: readonly AudioFacts[]): number =>
  audio.reduce((sum, { channels }) => sum + channels, 0);

const brokenTimeline = ({ start, end, lineUp, ident, parts, total }: Timeline): string[] => {
  const [first] = parts;
  const marks = [start, lineUp, ident, first?.part_som].filter((mark) => mark !== undefined);
  const isOrdered = marks.every((mark, at) => at === 0 || framesOf(mark) >= framesOf(marks[at - 1] ?? mark));
  const sum = parts.reduce((frames, { part_duration }) => frames + framesOf(part_duration), 0);
  const isWhole = parts.length === first?.part_total;
  return [
    ...(isOrdered ? [] : [`file (${start}), line_up_start, ident_clock_start and first part must begin in this order`]),
    ...(first?.part_number === 1 && first.part_som !== firstStart
      ? [`part 1 begins at ${first.part_som}, not at ${firstStart}`]
      : []),
    ...parts.flatMap((part, at) => brokenPart(part, parts[at - 1], end)),
    ...(isWhole && framesOf(total) !== sum
      ? [`total_programme_duration is ${total}, which is not the sum of its parts`]
      : []),
    ...(!isWhole && framesOf(total) <= sum
      ? [`total_programme_duration is ${total}, no more than the parts of this file`]
      : []),
  ];
};

type Part = Timeline["parts"][number];

const brokenPart = (part: Part, before: Part | undefined, end: string): string[] => {
  const { part_number: number, part_total, part_som, part_duration } = part;
  const gap = before && framesOf(part_som) - framesOf(before.part_som) - framesOf(before.part_duration);
  return [
    ...(number > part_total ? [`part ${number} is one of ${part_total}`] : []),
    ...(framesOf(part_duration) > 0 ? [] : [`part ${number} has no duration`]),
    ...(before && before.part_number + 1 !== number ? [`part ${number} follows part ${before.part_number}`] : []),
    ...(gap !== undefined && gap < 25
      ? [`part ${number} begins less than a second after the end of the one before`]
      : []),
    ...(framesOf(part_som) + framesOf(part_duration) > framesOf(end)
      ? [`part ${number} ends behind the file, which ends at ${end}`]
      : []),
  ];
};

type Group = Exclude<keyof Programme, "timecodes" | number>;

/** What every sidecar says. */
const required: Readonly<Record<string, readonly string[]>> = {
  editorial: [
    "series_title",
    "programme_title",
    "episode_title_number",
    "production_number",
    "synopsis",
    "originator",
    "copyright_year",
  ],
  video: ["afd", "three_d", "product_placement", "pse_pass"],
  audio: ["audio_track_layout", "primary_audio_language", "audio_loudness_standard"],
  timecodes: ["line_up_start", "ident_clock_start"],
  access_services: ["audio_description_present", "closed_captions_present", "open_captions_present", "signing_present"],
  additional: ["completion_date", "textless_elements_exist", "programme_has_text"],
  contact_information: ["contact_email", "contact_telephone_number"],
};

const said = (programme: Programme, group: string, field: string): unknown => {
  const values: unknown = Reflect.get(programme, group);
  return typeof values === "object" && values !== null ? Reflect.get(values, field) : undefined;
};

const missing = (programme: Programme): string[] =>
  Object.entries(required).flatMap(([group, fields]) =>
    fields
      .filter((field) => said(programme, group, field) === undefined)
      .map((field) => `metadata.${group}.${field} is missing`),
  );

/** Fields that are said where another one has one of these values, and nowhere else. */
const dependent: readonly {
  readonly group: Group;
  readonly on: string;
  readonly holds: readonly unknown[];
  readonly fields: readonly string[];
}[] = [
  { group: "video", on: "three_d", holds: [true], fields: ["three_d_type"] },
  { group: "video", on: "pse_pass", holds: ["Yes", "No"], fields: ["pse_manufacturer", "pse_version"] },
  { group: "access_services", on: "audio_description_present", holds: [true], fields: ["audio_description_type"] },
  {
    group: "access_services",
    on: "closed_captions_present",
    holds: [true],
    fields: ["closed_captions_type", "closed_captions_language"],
  },
  {
    group: "access_services",
    on: "open_captions_present",
    holds: [true],
    fields: ["open_captions_type", "open_captions_language"],
  },
  { group: "access_services", on: "signing_present", holds: ["Yes", "Signer only"], fields: ["sign_language"] },
  { group: "additional", on: "programme_has_text", holds: [true], fields: ["programme_text_language"] },
];

const brokenMetadata = ({ shim, facts, programme }: Delivery): string[] => [
  ...dependent.flatMap(({ group, on, holds, fields }) => {
    const isWanted = holds.includes(said(programme, group, on));
    const wrong = fields.filter((field) => (said(programme, group, field) !== undefined) !== isWanted);
    const says = `metadata.${group}.${on} is ${String(said(programme, group, on))}`;
    return wrong.map((field) => `metadata.${group}.${field} is ${isWanted ? "missing" : "said"}, though ${says}`);
  }),
  ...brokenIdentifier(programme),
  ...brokenFormat(programme),
  ...brokenLayout(shim, channelsOf(facts.audio), programme.audio),
];

const brokenIdentifier = ({ editorial }: Programme): string[] =>
  (editorial?.other_identifier === undefined) === (editorial?.other_identifier_type === undefined)
    ? []
    : ["metadata.editorial.other_identifier and other_identifier_type belong together"];

/** Active formats by the ratio of the picture: narrower than the frame, the frame's own, wider. */
const brokenFormat = ({ video }: Programme): string[] => {
  const { afd, picture_ratio } = video ?? {};
  if (afd === undefined || picture_ratio === undefined) return [];
  const [across = 0, down = 1] = picture_ratio.split(":").map(Number);
  const share = across / down - 16 / 9;
  const fitting = share < -0.01 ? [9] : share > 0.01 ? [10] : [10, 14];
  return fitting.includes(afd)
    ? []
    : [`metadata.video.afd is ${afd}, a picture of ${picture_ratio} has ${fitting.join(" or ")}`];
};

const brokenLayout = (shim: Shim, channels: number, audio: Programme["audio"]): string[] => {
  const layout = audio?.audio_track_layout;
  const known = shim.layouts[channels];
  const spoken = [audio?.primary_audio_language, audio?.secondary_audio_language, audio?.tertiary_audio_language];
  const languages = spoken.filter((each) => each !== undefined && each !== "zxx");
  const wanted = layout === "EBU R 123: 16f" ? 3 : layout === "EBU R 123: 16d" ? 2 : 0;
  return [
    ...(layout === undefined || !known || known.includes(layout)
      ? []
      : [`metadata.audio.audio_track_layout "${layout}" does not fit ${channels} channels: ${known.join(", ")}`]),
    ...(languages.length < wanted
      ? [`metadata.audio names ${languages.length} languages, "${layout}" has ${wanted}`]
      : []),
    ...(new Set(languages).size < languages.length ? ["metadata.audio names a language twice"] : []),
  ];
};
