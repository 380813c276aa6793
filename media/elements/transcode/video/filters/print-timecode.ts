import { z } from "zod";
import { looseInteger } from "../../../../../shared/basics/loose-values.ts";
import { type Rational, toFraction } from "../../../../../shared/basics/rational.ts";
import { location } from "../../../../../shared/files/location.ts";
import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import { capabilityError, definitionError } from "../../../../../shared/model/failure.ts";
import { numberOrExpression } from "../../../../expressions/field.ts";
import type { FilterValue } from "../../../../ffmpeg/filtergraph.ts";
import {
  canDrop,
  countedAs,
  framesToTimecode,
  isDropTimecode,
  timecodeToFrames,
} from "../../../../formats/timecode.ts";
import { timecodeSelectors } from "../../../../virtual-source/trim-schema.ts";
import { defineVideoFilter, type VideoPlace } from "../../filters/filter.ts";
import { printedFrom } from "../../filters/numbers.ts";
import { atRate } from "../../timecode.ts";
import { colorOf } from "./colors.ts";
import { fontOf } from "./fonts.ts";
import { printedColor } from "./printed-color.ts";

const place = numberOrExpression().default(25);

const payload = z.looseObject({
  ...{ x: place, y: place },
  font: z.string().max(1000).optional(),
  font_size: looseInteger(1, 4000).default(16),
  font_color: z.string().max(64).default("blue"),
  background_color: z.string().max(64).optional(),
  border_size: looseInteger(0, 4000).default(0),
  timecode_kind: z
    .enum(["timecode_auto", "timecode_drop", "timecode_nodrop", "frame_nr", "media_time"])
    .default("timecode_auto"),
  timecode_source: z.enum(["auto", "start_value", "media"]).default("media"),
  source_timecode_selector: z.enum(timecodeSelectors).default("first"),
  timecode_start_value: z.string().max(64).optional(),
  font_files: z.array(location).max(100).optional(),
  lut_file: location.optional(),
  lut_preset: z.enum(["r709_to_r2020_pq_300nit"]).optional(),
});
type Payload = z.output<typeof payload>;

/** Names in jobs, the specification's and those of ffmpeg -> ffmpeg's names. */
const variables = {
  ...{ w: "w", W: "w", main_w: "w", video_w: "w", h: "h", H: "h", main_h: "h", video_h: "h" },
  ...{ text_w: "text_w", tw: "text_w", text_h: "text_h", th: "text_h", line_h: "line_h", lh: "line_h" },
};

/** Burns a running timecode, frame number or time into every picture. */
export const printTimecode = defineVideoFilter({
  kind: "print_timecode",
  payload,
  stage: "converted",
  apply: (wanted, at) => {
    const { path, source } = at;
    if (wanted.lut_file)
      throw capabilityError(
        `${path}.lut_file is not implemented yet: tables are for whole pictures; lut_preset is for letters`,
      );
    const preset = wanted.lut_preset;
    const colored = (text: string, at: string) => (preset ? printedColor(text, preset, at) : colorOf(text, at));
    const scope = { source_w: source.width, source_h: source.height };
    const background = wanted.background_color && colored(wanted.background_color, `${path}.background_color`);
    const options = {
      fontfile: fontOf(wanted, at),
      fontsize: wanted.font_size,
      fontcolor: colored(wanted.font_color, `${path}.font_color`),
      ...(background && { box: 1, boxcolor: background, boxborderw: wanted.border_size }),
      // Without a background the border is that of the glyphs.
      ...(!background && wanted.border_size > 0 && { borderw: wanted.border_size }),
      x: printedFrom(wanted.x, scope, variables, `${path}.x`),
      y: printedFrom(wanted.y, scope, variables, `${path}.y`),
      ...textOf(wanted, at),
    };
    return { filters: [{ name: "drawtext", options }] };
  },
});

const textOf = (wanted: Payload, at: VideoPlace): Readonly<Record<string, FilterValue>> => {
  const { timecode_kind: kind, timecode_start_value: start = "0" } = wanted;
  if (kind === "media_time") return { text: "%{pts:hms}" };
  if (kind !== "frame_nr") return timecodeText(wanted, at);
  if (wanted.timecode_source !== "start_value") return { text: "%{frame_num}" };
  if (/^\d{1,9}$/.test(start)) return { text: "%{frame_num}", start_number: Number(start) };
  throw definitionError(`${at.path}.timecode_start_value "${start}" is not a frame number`);
};

const timecodeText = (wanted: Payload, at: VideoPlace) => {
  const rate = rateOf(at.picture);
  if (!rate) throw definitionError(`${at.path} counts frames, and the picture has no frame rate`);
  const first =
    wanted.timecode_source === "start_value" ? givenStart(wanted, rate, at.path) : ownStart(wanted, rate, at);
  return { timecode: first, timecode_rate: toFraction(rate) };
};

const rateOf = ({ frameRate, averageFrameRate }: VideoFacts) => frameRate ?? averageFrameRate;

const givenStart = ({ timecode_kind: kind, timecode_start_value: start }: Payload, rate: Rational, path: string) => {
  if (start === undefined) throw definitionError(`${path} needs a timecode_start_value`);
  const counted = countedLike(start, kind, rate);
  const frames = timecodeToFrames(counted, rate);
  if (frames !== undefined) return framesToTimecode(frames, rate, dropsIn(counted, rate));
  throw definitionError(
    `${path}.timecode_start_value ${start} is not a timecode at ${toFraction(rate)} frames per second`,
  );
};

/** The source's timecode, at the rate of the picture that it is printed into. */
const ownStart = (
  { timecode_kind: kind, source_timecode_selector: selector, timecode_source }: Payload,
  rate: Rational,
  at: VideoPlace,
) => {
  const found = at.timecodeOf(selector);
  if (found === undefined && timecode_source === "media")
    at.extras.warn(`${at.path}: the source has no such timecode, and is counted from zero`);
  const own = rateOf(at.source) ?? rate;
  const counted = countedLike(found ?? "00:00:00:00", kind, own);
  const frames = timecodeToFrames(counted, own) ?? 0;
  const isDrop = dropsIn(counted, rate);
  const clock = framesToTimecode(frames, own, dropsIn(counted, own));
  if (toFraction(own) === toFraction(rate)) return clock;
  return atRate(clock, own, rate, { isDrop, mode: "nearest" });
};

const countedLike = (text: string, kind: Payload["timecode_kind"], rate: Rational): string => {
  if (kind === "timecode_nodrop") return countedAs(text, "00:00:00:00");
  return kind === "timecode_drop" && canDrop(rate) ? countedAs(text, "00:00:00;00") : text;
};

const dropsIn = (text: string, rate: Rational): boolean => isDropTimecode(text) && canDrop(rate);
