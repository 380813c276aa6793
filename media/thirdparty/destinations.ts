import { placeOf } from "./address.ts";
import { audioFields, destinationFields, encoderFields, transportStreamFields } from "./destination-fields.ts";
import { addFilters } from "./filters.ts";
import type { CnpsNode } from "./node.ts";

type Fields = Record<string, unknown>;

/** The built-in module for H.264 in MP4 and transport streams, whose settings are in the document. */
const builtIn = "{df227069-514d-4127-bb25-bf31d1e732aa}";

export type Destination = {
  /** Of a transcode. */
  readonly payload: Fields;
  /** The farm's preset that it uses, if the document names a foreign preset. */
  readonly preset: string | undefined;
  /** Addresses of the subtitles that its filters draw. */
  readonly subtitles: readonly string[];
};

/** The filters of `filtered`, the source, stand before its own. */
export const destinationOf = (module: CnpsNode, filtered: CnpsNode | undefined): Destination => {
  const [format, named] = [module.text("ModuleGUID"), module.text("PresetGUID")];
  module.text("DestinationName");
  const guid = named ?? format;
  if (guid === undefined) return module.fail(`<${module.name}> has neither ModuleGUID nor PresetGUID`);
  const preset = [named, format].every((each) => each === undefined || each.toLowerCase() === builtIn)
    ? undefined
    : guid;
  const data = module.one("ModuleData");
  if (!data) return module.fail(`<${module.name}> has no <ModuleData>`);
  const path = placeOf(data.text("FullUNCPath"), data.text("CML_P_Path"));
  if (path === undefined) return data.fail("<ModuleData> has no CML_P_Path");
  const made: Fields = { file_pattern: patternOf(data), ...trimOf(data) };
  for (const { attribute, path: to, value } of destinationFields) {
    const number = data.number(attribute);
    const read = number === undefined ? undefined : value(number);
    if (read !== undefined) put(made, to, read);
  }
  completeVideo(made, data, preset);
  const audio = audioOf(data, preset);
  if (audio) made.audio = audio;
  completeContainer(made, data, preset);
  const subtitles = [filtered, module].flatMap((each) => (each ? addFilters(each, made) : []));
  return { payload: { location: { path }, targets: [made] }, preset, subtitles };
};

/** `%s` is the source's name; the extension comes from the format. */
const patternOf = (data: CnpsNode): string => {
  data.text("DestFileUseSource");
  const base = data.text("CML_P_BaseFileName") ?? "%s";
  return `${base.replaceAll("%s", "{source_basename}")}{default_extension}`;
};

const trimOf = (data: CnpsNode): Fields => {
  if (!data.isOn("SourceSegmentSel") && !data.isOn("CML_P_SourceSegmentSel")) return {};
  const from = data.number("CML_P_SourceSegmentStartDbl") ?? 0;
  const length = data.number("CML_P_SourceSegmentTimeDbl") ?? data.number("TimeDbl");
  return { trim: { inpoint_sec: from, ...(length !== undefined && { duration_sec: length }) } };
};

const completeVideo = (made: Fields, data: CnpsNode, preset: string | undefined): void => {
  const isThere = (data.integer("UsedStreamVideo") ?? 1) !== 0;
  if (!isThere) {
    delete made.video;
    return;
  }
  const [x, y] = [data.integer("PixelAspect_X"), data.integer("PixelAspect_Y")];
  if (x && y && (data.integer("use_pixel_aspect") ?? 1) !== 0) put(made, ["video", "par"], `${x}:${y}`);
  const words = encoderFields.flatMap(({ attribute, word }) => {
    const value = data.number(attribute);
    return value === undefined ? [] : [word(value)];
  });
  if (words.length > 0) put(made, ["video", "x264_options"], words.join(":"));
  if (preset === undefined) put(made, ["video", "codec"], "h264");
};

/** One entry per track; a list of texts separated by blanks takes precedence over a single value. */
const audioOf = (data: CnpsNode, preset: string | undefined): Fields[] | undefined => {
  if ((data.integer("UsedStreamAudio") ?? 1) === 0) return undefined;
  const count = data.integer("NumberOfLanguages") ?? 1;
  if (count < 0 || count > 16) data.fail("NumberOfLanguages must be between 0 and 16");
  const channels = data.text("AudioChannelList")?.trim().split(/\s+/).map(Number);
  const languages = data.text("AudioLanguages") ?? data.text("AudioLanguage") ?? "";
  const codec = codecOf(data);
  const usual: Fields = {};
  for (const { attribute, path, value } of audioFields) {
    const number = data.number(attribute);
    if (number !== undefined && value(number) !== undefined) put(usual, path, value(number));
  }
  if (preset !== undefined && Object.keys(usual).length === 0 && codec === undefined) return undefined;
  return Array.from({ length: count }, (_, index) => {
    const language = languages.slice(3 * index, 3 * index + 3).trim();
    return {
      ...{ codec: codec ?? "aac", ...usual },
      ...(channels?.[index] && { channels: channels[index] }),
      ...(/^[a-z]{3}$/i.test(language) && { language: language.toLowerCase() }),
    };
  });
};

const codecOf = (data: CnpsNode): string | undefined => {
  const number = data.integer("AudioCompression");
  if (number === undefined) return undefined;
  return number === 4 ? "aac" : data.fail(`AudioCompression ${number} is not known; 4 is AAC`);
};

const completeContainer = (made: Fields, data: CnpsNode, preset: string | undefined): void => {
  if (preset !== undefined) return;
  const isStream = data.integer("stream") !== 2 && transportStreamFields.some((name) => (data.number(name) ?? 0) > 0);
  put(made, ["container", "kind"], isStream ? "mpegts" : "mp4");
};

const put = (object: Fields, [key = "", ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    object[key] = value;
    return;
  }
  object[key] ??= {};
  put(object[key] as Fields, rest, value); // created one line above
};
