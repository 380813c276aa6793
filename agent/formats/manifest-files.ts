import { open } from "node:fs/promises";
import { decodeText } from "../../media/formats/sniff.ts";
import { fileError, sourceError, TaskError } from "../../shared/model/failure.ts";
import { type Manifest, manifestBytes } from "../../shared/work/manifest.ts";
import type { ReadForeign } from "../foreign/pool.ts";
import type { PathResolver } from "../paths/path-resolver.ts";

/** A playlist refers to variants and audio, a composition to its asset map. No real manifest has more documents. */
const mostDocuments = 70;
/** Of all documents together. */
const mostCharacters = 8 * manifestBytes;

/** How documents are found and read. */
export type ManifestNeeds = { readonly resolver: PathResolver; readonly read: ReadForeign };

/** Reads a manifest and the documents it refers to, each checked against the roots. Opens no media. */
export const readManifestFiles = async (
  uri: string,
  { resolver, read }: ManifestNeeds,
  signal: AbortSignal,
): Promise<Manifest> => {
  const documents = new Map<string, string>();
  for (;;) {
    signal.throwIfAborted();
    const size = [...documents.values()].reduce((sum, { length }) => sum + length, 0);
    if (size > mostCharacters) throw fileError(`${uri} refers to documents that are too large for manifests`);
    const reading = await read("manifest", { uri, documents }, { size, what: uri, signal });
    if ("manifest" in reading) return reading.manifest;
    for (const each of reading.need) {
      if (documents.size >= mostDocuments) throw sourceError(`${uri} refers to too many documents`);
      documents.set(each, await textOf(await resolver.file(each, signal)));
    }
  }
};

/** Why a manifest cannot be used yet: it is still growing, or refers to files that do not exist. */
export const whyIncomplete = async (
  uri: string,
  needs: ManifestNeeds,
  signal: AbortSignal,
): Promise<TaskError | undefined> => {
  try {
    await readManifestFiles(uri, needs, signal);
    return undefined;
  } catch (error) {
    // Waiting does not help with what is not implemented: the reading step reports it.
    if (!(error instanceof TaskError) || signal.aborted) throw error;
    return error.failure.cause === "source" ? error : undefined;
  }
};

const textOf = async (path: string): Promise<string> => {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  if (size > manifestBytes) throw sourceError(`${path} is too large for a manifest: ${size} bytes`);
  const { buffer, bytesRead } = await file.read(new Uint8Array(size), 0, size, 0);
  return decodeText(buffer.subarray(0, bytesRead));
};
