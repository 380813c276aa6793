import { XmlError, XmlLimitError } from "../../shared/basics/xml.ts";
import { fileError, sourceError } from "../../shared/model/failure.ts";
import { type Documents, limitPieces, limitSections, manifest, type Reading } from "../../shared/work/manifest.ts";
import { readDash } from "./dash.ts";
import { readHls } from "./hls.ts";
import { readImf } from "./imf.ts";

type Reader = (uri: string, documents: Documents) => Reading;

/** The first bytes of a document, whatever its name -> its parser. */
const readers: readonly (readonly [pattern: RegExp, read: Reader])[] = [
  [/^#EXTM3U/i, readHls],
  [/<(?:\w+:)?MPD[\s>/]/, readDash],
  [/<(?:\w+:)?CompositionPlaylist[\s>/]/, readImf],
];

/**
 * Parses one manifest without opening anything: documents that it needs are requested by name; call again with them.
 * Throws TaskError `source` for unreadable ones, `media` for too large ones, `capability` for what is not implemented.
 */
export const readManifest = (uri: string, documents: Documents): Reading => {
  const text = documents.get(uri);
  if (text === undefined) return { need: [uri] };
  const head = text.slice(0, 8192).replace(/^[\ufeff\s]+/, "");
  const reader = readers.find(([pattern]) => pattern.test(head))?.[1];
  if (!reader) throw sourceError(`${uri} is no HLS playlist, DASH manifest or IMF composition`);
  try {
    return bounded(uri, reader(uri, documents));
  } catch (error) {
    if (error instanceof XmlLimitError) throw fileError(`${uri} is too much: ${error.message}`);
    if (!(error instanceof XmlError)) throw error;
    throw sourceError(`${uri} cannot be read: ${error.message}`);
  }
};

/** The same of one argument, as threads take it. */
export const readDocuments = ({ uri, documents }: { readonly uri: string; readonly documents: Documents }): Reading =>
  readManifest(uri, documents);

/** Validates a manifest result from any node, or throws TaskError `source` naming the fault. */
const bounded = (uri: string, reading: Reading): Reading => {
  if ("need" in reading) return reading;
  const { sections } = reading.manifest;
  limitSections(sections.length, uri);
  for (const { pieces } of sections.flatMap(({ tracks }) => tracks)) limitPieces(pieces.length, uri);
  const [issue] = manifest.safeParse(reading.manifest).error?.issues ?? [];
  if (!issue) return reading;
  throw sourceError(`${uri} cannot be used: ${issue.path.join(".")}: ${issue.message}`);
};
