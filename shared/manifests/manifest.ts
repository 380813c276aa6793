import { z } from "zod";
import { piece, range } from "../asset.ts";
import { TaskError } from "../causes.ts";

/** The most pieces of one track. */
export const mostPieces = 20_000;
const mostSections = 1000;

/** One track of a section: what is taken from which bytes of which files. */
export const manifestTrack = z.strictObject({
  takes: z.array(z.enum(["video", "audio"])).min(1),
  language: z.string().max(64).optional(),
  /** Joined byte by byte they are one media file. */
  pieces: z.array(piece).min(1).max(mostPieces),
  range: range.optional(),
});
export type ManifestTrack = z.output<typeof manifestTrack>;

/** What a playlist, manifest or composition comes to: sections one after the other, tracks side by side in each. */
export const manifest = z.strictObject({
  kind: z.enum(["hls", "dash", "imf"]),
  /** It offers variants, of which the best was taken. */
  isMaster: z.boolean(),
  sections: z
    .array(z.strictObject({ tracks: z.array(manifestTrack).min(1).max(64) }))
    .min(1)
    .max(mostSections),
});
export type Manifest = z.output<typeof manifest>;
export type Section = Manifest["sections"][number];

/** Throws TaskError `source` if a track of this document has more pieces than one may have. */
export const limitPieces = (count: number, uri: string): void => {
  if (count > mostPieces) throw new TaskError("source", `${uri} has more than ${mostPieces} segments`);
};

/** Throws TaskError `source` if this document has more sections than one may have. */
export const limitSections = (count: number, uri: string): void => {
  if (count > mostSections) throw new TaskError("source", `${uri} has more than ${mostSections} parts`);
};

/** Text of every document read so far, by its URI. */
export type Documents = ReadonlyMap<string, string>;

/** Either the documents that must be read first, or what they all say. */
export type Reading = { readonly need: readonly string[] } | { readonly manifest: Manifest };

/** More bytes than this in one document are no manifest. */
export const manifestBytes = 8 * 1024 * 1024;

/**
 * The address that a document means by one of its references, without query and fragment. Whether it may be read is
 * the node's question. Throws TaskError `source` for what is no address.
 */
export const referenceUri = (base: string, reference: string): string => {
  const url = URL.parse(reference.trim(), base);
  if (!url || reference.includes("\0")) {
    throw new TaskError("source", `${base} names "${reference.slice(0, 200)}", which is no address`);
  }
  url.search = "";
  url.hash = "";
  return url.href;
};
