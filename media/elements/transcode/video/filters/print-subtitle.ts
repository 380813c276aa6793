import type { Sidecar } from "../../../../../shared/model/asset.ts";
import { capabilityError, definitionError } from "../../../../../shared/model/failure.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { languageOf } from "../../../../formats/language.ts";
import { defineVideoFilter, type VideoPlace } from "../../filters/filter.ts";
import { beginOf, refuseUnreadable } from "../../subtitles/candidates.ts";
import { fontUri } from "./fonts.ts";
import { type SubtitlePayload, subtitlePayload } from "./subtitle-payload.ts";
import { subtitleStyle } from "./subtitle-style.ts";

/** Draws the texts of a subtitle file that comes with the source. */
export const printSubtitle = defineVideoFilter({
  kind: "print_subtitle",
  payload: subtitlePayload,
  stage: "converted",
  apply: (wanted, place) => {
    refuseOthers(wanted, place.path);
    const sidecar = sidecarOf(wanted, place);
    if (sidecar) return { filters: [drawing(sidecar, wanted, place)] };
    if (wanted.is_optional) return { filters: [] };
    throw definitionError(`${place.path}: the source has no file of subtitles that fits; is_optional lets it go`);
  },
});

const refuseOthers = (wanted: SubtitlePayload, path: string): void => {
  for (const field of ["lut_file", "lut_preset"] as const) {
    if (wanted[field] !== undefined) throw capabilityError(`${path}.${field} is not implemented yet`);
  }
};

const sidecarOf = ({ language, category }: SubtitlePayload, { extras }: VideoPlace): Sidecar | undefined =>
  extras.sidecars.find(
    (each) =>
      each.kind !== "metadata" &&
      (language === undefined || each.language === undefined || languageOf(each.language) === languageOf(language)) &&
      (category === undefined || (each.category ?? "default") === category),
  );

const drawing = (
  sidecar: Sidecar,
  wanted: SubtitlePayload,
  { extras, picture, source, timecodeOf, path }: VideoPlace,
): Filter => {
  const ending = /\.([a-z0-9]+)$/i.exec(sidecar.uri)?.[1]?.toLowerCase() ?? "";
  const isStyled = ["ass", "ssa"].includes(ending);
  refuseUnreadable(sidecar.uri, path);
  const { begin, clock } = beginOf(sidecar, { timecode: timecodeOf("first"), video: source, start: extras.start });
  const later = (wanted.time_offset_sec ?? 0) - begin / 1000;
  const filename = extras.drawn({ uri: sidecar.uri, isStyled, later, ...(clock !== undefined && { clock }) });
  const { font_files: fonts = [] } = wanted;
  for (const [index, font] of fonts.entries()) {
    extras.stage({ uri: fontUri(font, `${path}.font_files[${index}]`) }, ".ttf");
  }
  extras.stage({ bundled: "DejaVuSans.ttf" }, ".ttf");
  // Fonts are staged in the attempt's folder.
  if (isStyled) return { name: "ass", options: { filename, fontsdir: "." } };
  return {
    name: "subtitles",
    options: { filename, fontsdir: ".", force_style: subtitleStyle(wanted, picture, fonts.length > 0, path) },
  };
};
