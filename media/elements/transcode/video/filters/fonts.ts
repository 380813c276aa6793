import { folderUri, type Location, nameOf } from "../../../../../shared/files/location.ts";
import { definitionError } from "../../../../../shared/model/failure.ts";
import type { Reference } from "../../../../../shared/work/arguments.ts";
import type { VideoPlace } from "../../filters/filter.ts";

type Wanted = { readonly font?: string | undefined; readonly font_files?: readonly Location[] | undefined };

/** The font that a job brings, else the program's own font that is nearest to the description. */
export const fontOf = ({ font = "sans", font_files: files = [] }: Wanted, { extras, path }: VideoPlace): Reference => {
  const [own] = files;
  if (own) return extras.stage({ uri: fontUri(own, `${path}.font_files[0]`) }, ".ttf");
  if (!/\b(sans|serif|mono|monospace|dejavu|bold)/i.test(font)) {
    extras.warn(`${path}.font "${font}" is not here: DejaVu Sans takes its place; font_files brings another`);
  }
  return extras.stage({ bundled: bundledFont(font) }, ".ttf");
};

/** For a description such as `serif`, `mono:bold`, `DejaVu Sans Mono`. */
const bundledFont = (description: string): string => {
  const bold = /bold/i.test(description) ? "-Bold" : "";
  if (/mono|courier|fixed/i.test(description)) return `DejaVuSansMono${bold}.ttf`;
  if (/(?<!sans.?)serif|times/i.test(description)) return "DejaVuSerif.ttf";
  return `DejaVuSans${bold}.ttf`;
};

export const fontUri = (place: Location, path: string): string => {
  const uri = folderUri(place, undefined, path);
  if (/\.(ttf|otf|ttc)$/i.test(nameOf(uri))) return uri;
  throw definitionError(`${path} is not a font: its name must end in .ttf, .otf or .ttc`);
};
