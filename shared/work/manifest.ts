import { z } from "zod";
import { piece, range } from "../model/asset.ts";
import { fileError, sourceError } from "../model/failure.ts";

/** The maximum number of pieces of one track. */
export const maxPieces = 20_000;
const mostSections = 1000;
const mostTracks = 64;
/** Of all tracks and sections together. */
const mostPieces = 200_000;

/** One track of a section: which bytes of which files, and what is used of them. */
export const manifestTrack = z.strictObject({
  takes: z
    .array(z.enum(["video", "audio"]))
    .min(1)
    .max(64),
  language: z.string().max(64).optional(),
  /** Joined byte by byte, they are one media file. */
  pieces: z.array(piece).min(1).max(maxPieces),
  range: range.optional(),
});
export type ManifestTrack = z.output<typeof manifestTrack>;

/** The result of a playlist, manifest or composition: consecutive sections, with parallel tracks in each. */
export const manifest = z.strictObject({
  kind: z.enum(["hls", "dash", "imf"]),
  /** It has variants, of which the best was used. */
  isMaster: z.boolean(),
  sections: z
    .array(z.strictObject({ tracks: z.array(manifestTrack).min(1).max(mostTracks) }))
    .min(1)
    .max(mostSections),
});
export type Manifest = z.output<typeof manifest>;
export type Section = Manifest["sections"][number];

/** Throws TaskError `media` if a track of this document has too many pieces. */
export const limitPieces = (count: number, uri: string): void => {
  if (count > maxPieces) throw fileError(`${uri} has more than ${maxPieces} segments`);
};

/** Throws TaskError `media` if all tracks of this document together have too many pieces. */
export const limitAllPieces = (count: number, uri: string): void => {
  if (count > mostPieces) throw fileError(`${uri} has more than ${mostPieces} segments in all its tracks`);
};

/** Throws TaskError `media` if a section of this document has too many tracks. */
export const limitTracks = (count: number, uri: string): void => {
  if (count > mostTracks) throw fileError(`${uri} has more than ${mostTracks} tracks side by side`);
};

/** Throws TaskError `media` if this document has too many sections. */
export const limitSections = (count: number, uri: string): void => {
  if (count > mostSections) throw fileError(`${uri} has more than ${mostSections} parts`);
};

/** Text of every document read so far, by its URI. */
export type Documents = ReadonlyMap<string, string>;

/** Either the documents that must be read first, or the result. */
export type Reading = { readonly need: readonly string[] } | { readonly manifest: Manifest };

/** A larger document is not a manifest. */
export const manifestBytes = 8 * 1024 * 1024;

/**
 * The absolute address of a document's reference, without query and fragment. It is on the storage that the document came
 * from: else a foreign document would have this machine's files read, or other servers with the farm's keys. The node decides
 * whether it may be read. Throws TaskError `source` for an invalid address, and for one on another storage.
 */
export const referenceUri = (base: string, reference: string): string => {
  const url = URL.parse(reference.trim(), base);
  if (!url || reference.includes("\0")) {
    throw sourceError(`${base} contains the invalid address "${reference.slice(0, 200)}"`);
  }
  if (!isOnStorage(base, url))
    throw sourceError(
      `${base} refers to "${reference.slice(0, 200)}" on another storage: a manifest may only refer to its own`,
    );
  url.search = "";
  url.hash = "";
  return url.href;
};

/** Whether every piece of a manifest is on the storage of the manifest itself. */
export const isOnOwnStorage = (uri: string, { sections }: Manifest): boolean =>
  sections.every(({ tracks }) =>
    tracks.every(({ pieces }) =>
      pieces.every((piece) => {
        const url = URL.parse(piece.uri, uri);
        return url !== null && isOnStorage(uri, url);
      }),
    ),
  );

/** The same kind, host or bucket, and port; no other login than the document's own. */
const isOnStorage = (base: string, url: URL): boolean => {
  const own = URL.parse(base);
  if (!own || own.protocol !== url.protocol || own.host !== url.host) return false;
  const hasLogin = url.username !== "" || url.password !== "";
  return !hasLogin || (own.username === url.username && own.password === url.password);
};
