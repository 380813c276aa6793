import { fillPattern } from "../../../shared/files/file-pattern.ts";
import { basenameOf } from "../../../shared/files/location.ts";
import { definitionError } from "../../../shared/model/failure.ts";
import { createUniqueNames } from "../../packaging/unique-names.ts";
import type { Shape } from "./modes.ts";
import type { Rendition } from "./renditions.ts";
import type { PackagePayload } from "./schema.ts";

/** A rendition's files in the attempt's folder. Media in segments has a name with a number like `%05d`. */
export type Names = {
  readonly media: string;
  /** For fragments in files of their own. */
  readonly init: string | undefined;
  readonly playlist: string;
  readonly iframes: string;
};

export type Naming = (rendition: Rendition) => Names;

type Context = {
  readonly uid: string;
  readonly jobId: number;
  readonly shape: Shape;
  /** Of the master playlist, where the others lie beside it. */
  readonly master?: string | undefined;
};

/** The number of a segment, where a pattern for media says how it is written. */
const numberIn = /[-_.]?%0\dd(?=(\.[a-z0-9]{1,5})?$)/i;

/** Whether a name stands for many segments. */
export const isNumbered = (name: string): boolean => /%0\dd/.test(name);

/** The pattern of a rendition's files without the number of a segment. */
export const withoutNumber = (pattern: string): string => pattern.replace(numberIn, "");

/** Names by the payload's patterns, made unique in the package. */
export const createNaming = (
  renditions: readonly Rendition[],
  payload: PackagePayload,
  { uid, jobId, shape, master }: Context,
): Naming => {
  const [playlists, inits] = [createUniqueNames(), createUniqueNames()];
  if (master !== undefined) playlists(basenameOf(master));
  const filled = (pattern: string, { basename }: Rendition): string =>
    basenameOf(fillPattern(withEnding(pattern), { sourceName: `${basename}.x`, defaultExtension: ".x", jobId }));
  const number = numberIn.exec(payload.media_file_pattern)?.[0] ?? "_%05d";
  const playlistPattern = payload.hls?.media_playlist_file_pattern;
  const known = new Map(
    renditions.map((rendition) => {
      const { stem } = rendition;
      const ending = endingOf(rendition, payload, { shape, path: `${uid}.payload` });
      const playlist = playlists(playlistPattern === undefined ? stem : filled(playlistPattern, rendition));
      const init =
        payload.init_file_pattern === undefined ? `${stem}_init` : inits(filled(payload.init_file_pattern, rendition));
      const names: Names = {
        media: shape.isSegmented && isCut(rendition, shape) ? `${stem}${number}${ending}` : `${stem}${ending}`,
        init: hasInit(rendition, shape) ? `${init}.mp4` : undefined,
        playlist: `${playlist}.m3u8`,
        iframes: `${playlist}_iframes.m3u8`,
      };
      return [rendition, names] as const;
    }),
  );
  return (rendition) => {
    const names = known.get(rendition);
    if (names) return names;
    throw new Error(`${rendition.stem} is no rendition of the package`);
  };
};

const hasInit = ({ kind }: Rendition, { isSegmented, isTransport, hasTextInMp4 }: Shape): boolean =>
  isSegmented && !isTransport && (kind !== "text" || hasTextInMp4);

/** Beside transport streams, each subtitle rendition is one file. */
const isCut = ({ kind }: Rendition, { isTransport }: Shape): boolean => kind !== "text" || !isTransport;

const withEnding = (pattern: string): string => (/\.[a-z0-9]{1,5}$/i.test(pattern) ? pattern : `${pattern}.x`);

type Ending = { readonly shape: Shape; readonly path: string };

/** The payload's pattern for this kind of media, else its pattern for pictures and sound, else the usual one. */
const endingOf = ({ kind }: Rendition, payload: PackagePayload, { shape, path }: Ending): string => {
  const said = payload.media_file_extensions?.[kind === "text" ? "subtitle" : kind];
  if (said !== undefined) {
    if (/^\.?[a-z0-9]{1,8}$/i.test(said)) return `.${said.replace(/^\./, "")}`;
    throw definitionError(`${path}.media_file_extensions has "${said}", which is not a file extension`);
  }
  if (kind === "text") return shape.hasTextInMp4 ? ".mp4" : ".vtt";
  const own = /\.[a-z0-9]{1,5}$/i.exec(payload.media_file_pattern)?.[0];
  if (shape.isSegmented && !shape.isTransport) return ".m4s";
  return own ?? (shape.isTransport ? ".ts" : ".mp4");
};
