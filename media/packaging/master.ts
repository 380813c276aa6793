import type { MasterRecipe } from "../../shared/work/steps/place.ts";
import { languageTag } from "./language-tag.ts";

/** Bits a second of one playlist: of its busiest part, and of all. */
export type Measured = { readonly peak: number; readonly average: number };

/**
 * An HLS master playlist (RFC 8216). A variant stands once for each group of sound that it may be played with; its
 * bandwidth counts the most demanding rendition of that group too.
 */
export const masterPlaylist = (recipe: MasterRecipe, measured: ReadonlyMap<string, Measured>): string => {
  const { variants, renditions, captions, iframes, iframesFirst, title, version } = recipe;
  const subtitles = renditions.find(({ type }) => type === "SUBTITLES")?.group;
  const keyFrames = iframes.flatMap(({ playlist, variant }) => iframeLine(variants[variant], playlist, measured));
  const lines = [
    "#EXTM3U",
    `#EXT-X-VERSION:${version}`,
    "#EXT-X-INDEPENDENT-SEGMENTS",
    ...(title === undefined ? [] : [titleLine(title)]),
    ...renditions.map(renditionLine),
    ...captions.map(captionLine),
    ...(iframesFirst ? keyFrames : []),
    ...variants.flatMap((variant) => {
      const groups = variant.audio.length > 0 ? variant.audio : [undefined];
      return groups.flatMap((group) => variantLines(variant, group, { recipe, measured, subtitles }));
    }),
    ...(iframesFirst ? [] : keyFrames),
  ];
  return `${lines.join("\n")}\n`;
};

type Variant = MasterRecipe["variants"][number];
type Rendition = MasterRecipe["renditions"][number];
type Context = {
  readonly recipe: MasterRecipe;
  readonly measured: ReadonlyMap<string, Measured>;
  readonly subtitles: string | undefined;
};

const renditionLine = ({ type, group, name, language, channels, isDefault, isAsked, playlist }: Rendition): string =>
  tag("EXT-X-MEDIA", {
    TYPE: type,
    "GROUP-ID": quoted(group),
    NAME: quoted(name),
    LANGUAGE: language && quoted(languageTag(language)),
    DEFAULT: isDefault ? "YES" : "NO",
    AUTOSELECT: isAsked && !isDefault ? "NO" : "YES",
    CHANNELS: channels === undefined ? undefined : quoted(String(channels)),
    URI: quoted(playlist),
  });

const titleLine = (title: string): string =>
  tag("EXT-X-SESSION-DATA", { "DATA-ID": quoted("com.apple.hls.title"), VALUE: quoted(title) });

const captionGroup = "captions";

const captionLine = ({ index, language, isDefault, isChosen }: MasterRecipe["captions"][number]): string =>
  tag("EXT-X-MEDIA", {
    TYPE: "CLOSED-CAPTIONS",
    "GROUP-ID": quoted(captionGroup),
    NAME: quoted(language ?? `CC${index}`),
    LANGUAGE: language && quoted(languageTag(language)),
    DEFAULT: isDefault ? "YES" : "NO",
    AUTOSELECT: isChosen ? "YES" : "NO",
    "INSTREAM-ID": quoted(index <= 4 ? `CC${index}` : `SERVICE${index}`),
  });

const variantLines = (
  variant: Variant,
  group: string | undefined,
  { recipe, measured, subtitles }: Context,
): string[] => {
  const heard = recipe.renditions.filter((each) => each.type === "AUDIO" && each.group === group);
  const own = measured.get(variant.playlist) ?? { peak: 0, average: 0 };
  const most = (read: (rate: Measured) => number) =>
    Math.max(0, ...heard.map(({ playlist }) => read(measured.get(playlist) ?? { peak: 0, average: 0 })));
  const codecs = [...new Set([...variant.codecs, ...heard.flatMap((each) => each.codecs ?? [])])];
  const { resolution, frameRate, range, playlist } = variant;
  return [
    tag("EXT-X-STREAM-INF", {
      BANDWIDTH: String(Math.max(1, Math.ceil(own.peak + most(({ peak }) => peak)))),
      "AVERAGE-BANDWIDTH": String(Math.max(1, Math.ceil(own.average + most(({ average }) => average)))),
      CODECS: codecs.length > 0 ? quoted(codecs.join(",")) : undefined,
      RESOLUTION: resolution && `${resolution.width}x${resolution.height}`,
      "FRAME-RATE": frameRate?.toFixed(3),
      "VIDEO-RANGE": range,
      AUDIO: group && quoted(group),
      SUBTITLES: subtitles && quoted(subtitles),
      "CLOSED-CAPTIONS": recipe.captions.length > 0 ? quoted(captionGroup) : "NONE",
    }),
    playlist,
  ];
};

const iframeLine = (
  variant: Variant | undefined,
  playlist: string,
  measured: ReadonlyMap<string, Measured>,
): string[] => {
  if (!variant) return [];
  const { peak, average } = measured.get(playlist) ?? { peak: 1, average: 1 };
  const { resolution, codecs, range } = variant;
  return [
    tag("EXT-X-I-FRAME-STREAM-INF", {
      BANDWIDTH: String(Math.max(1, Math.ceil(peak))),
      "AVERAGE-BANDWIDTH": String(Math.max(1, Math.ceil(average))),
      CODECS: codecs[0] && quoted(codecs[0]),
      RESOLUTION: resolution && `${resolution.width}x${resolution.height}`,
      "VIDEO-RANGE": range,
      URI: quoted(playlist),
    }),
  ];
};

const quoted = (text: string): string => `"${text.replaceAll(/["\n\r]/g, "'")}"`;

const tag = (name: string, attributes: Readonly<Record<string, string | undefined>>): string => {
  const set = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined || value === "" ? [] : [`${key}=${value}`],
  );
  return `#${name}:${set.join(",")}`;
};
