import { toNumber } from "../../../../../shared/basics/rational.ts";
import { capabilityError, definitionError } from "../../../../../shared/model/failure.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { languageOf } from "../../../../formats/language.ts";
import { defineVideoFilter, type VideoPlace } from "../../filters/filter.ts";
import type { TextPlace } from "../../recipe.ts";
import {
  beginOf,
  findTextCandidates,
  isTextCodec,
  refuseUnreadable,
  type TextBegin,
} from "../../subtitles/candidates.ts";
import { fontUri } from "./fonts.ts";
import { type SubtitlePayload, subtitlePayload } from "./subtitle-payload.ts";
import { subtitleStyle } from "./subtitle-style.ts";

/** Draws the texts of a subtitle file that comes with the source, of a track in it, or of the captions in its picture. */
export const printSubtitle = defineVideoFilter({
  kind: "print_subtitle",
  payload: subtitlePayload,
  stage: "converted",
  apply: (wanted, place) => {
    refuseOthers(wanted, place.path);
    const texts = textsOf(wanted, place);
    if (texts) return { filters: [drawing(texts, wanted, place)] };
    refuseUndrawn(wanted, place);
    if (wanted.is_optional) return { filters: [] };
    throw definitionError(`${place.path}: the source has no subtitles that fit; is_optional lets them go`);
  },
});

const refuseOthers = (wanted: SubtitlePayload, path: string): void => {
  if (wanted.lut_file === undefined) return;
  throw capabilityError(
    `${path}.lut_file is not implemented yet: tables are for whole pictures; lut_preset is for letters`,
  );
};

type Texts = TextBegin & { readonly from: TextPlace; readonly isStyled: boolean };

/** A file beside the source, else a track in it. */
const textsOf = (wanted: SubtitlePayload, place: VideoPlace): Texts | undefined => {
  const { extras, source, timecodeOf, path } = place;
  const sidecar = extras.sidecars.find((each) => each.kind !== "metadata" && isWanted(wanted, each));
  if (sidecar) {
    const { uri } = sidecar;
    refuseUnreadable(uri, path);
    const begin = beginOf(sidecar, { timecode: timecodeOf("first"), video: source, start: extras.start });
    return { ...begin, from: { uri }, isStyled: /\.(ass|ssa)$/i.test(uri) };
  }
  const inside = extras.source ? findTextCandidates(extras.source, [], extras.start) : [];
  const track = inside.find((each) => isWanted(wanted, each));
  if (!track) return undefined;
  const stream = "stream" in track.from ? track.from.stream : undefined;
  const codec = extras.source?.facts.others.find(({ index }) => index === stream)?.codec;
  return { begin: track.begin, from: track.from, isStyled: codec === "ass" || codec === "ssa" };
};

type Told = { readonly language?: string | undefined; readonly category?: string | undefined };

const isWanted = ({ language, category }: SubtitlePayload, each: Told): boolean =>
  (language === undefined || each.language === undefined || languageOf(each.language) === languageOf(language)) &&
  (category === undefined || (each.category ?? "default") === category);

/** Being optional leaves out what the source lacks, and not what it has in a form that is not drawn here. */
const refuseUndrawn = ({ language }: SubtitlePayload, { extras, path }: VideoPlace): void => {
  const held = extras.source?.facts.others.find(
    (each) => each.kind === "subtitle" && isWanted({ language } as SubtitlePayload, each), // the field is all that counts
  );
  if (!held) return;
  const isText = isTextCodec(held.codec);
  const why = isText ? "tracks of texts in several files are not drawn" : "they are not drawn";
  throw capabilityError(`${path}: the source has subtitles as ${held.codec}; ${why} here yet`);
};

const drawing = (
  { from, isStyled, begin, ...clocks }: Texts,
  wanted: SubtitlePayload,
  { extras, picture, timing, path }: VideoPlace,
): Filter => {
  const later = (wanted.time_offset_sec ?? 0) - begin / 1000;
  const lasts = timing.duration && Math.round(toNumber(timing.duration) * 1000);
  const filename = extras.drawn({ from, isStyled, later, ...(lasts !== undefined && { lasts }), ...clocks });
  const { font_files: fonts = [] } = wanted;
  for (const [index, font] of fonts.entries()) {
    extras.stage({ uri: fontUri(font, `${path}.font_files[${index}]`) }, ".ttf");
  }
  extras.stage({ bundled: "DejaVuSans.ttf" }, ".ttf");
  // Fonts are staged in the attempt's folder.
  if (isStyled && wanted.lut_preset)
    extras.warn(`${path}.lut_preset has no effect on ASS: its styles have colours of their own`);
  if (isStyled) return { name: "ass", options: { filename, fontsdir: "." } };
  return {
    name: "subtitles",
    options: { filename, fontsdir: ".", force_style: subtitleStyle(wanted, picture, fonts.length > 0, path) },
  };
};
