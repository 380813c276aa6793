import { open } from "node:fs/promises";
import { TaskError } from "../../shared/causes.ts";
import { readManifest } from "../../shared/manifests/index.ts";
import { manifestBytes } from "../../shared/manifests/manifest.ts";
import { decodeText } from "../../shared/sniff.ts";
import type { Performer } from "./step.ts";

/** A playlist asks for its variant and its sounds, a composition for its map: more documents are no honest manifest. */
const mostDocuments = 70;

/** Reads a manifest and the documents that it needs, each checked against the roots; opens no media. */
export const performManifest: Performer<"manifest"> = async ({ asset }, { places, locator, log, signal }) => {
  const input = places.inputs.get(asset);
  const [file] = input?.files ?? [];
  if (!input || !file)
    throw new TaskError("definition", `A manifest step names ${asset}, which the task does not have`);
  const documents = new Map([[input.uri, await textOf(file.path)]]);
  for (;;) {
    signal.throwIfAborted();
    log.line(`read manifest ${file.path}`);
    const reading = readManifest(input.uri, documents);
    if ("manifest" in reading) {
      const { size, modified } = file;
      return {
        unchanged: false,
        file: { uri: input.uri, size, modified },
        tool: "manifest",
        manifest: reading.manifest,
      };
    }
    for (const uri of reading.need) {
      if (documents.size >= mostDocuments) throw new TaskError("source", `${input.uri} refers to too many documents`);
      documents.set(uri, await textOf(await locator.file(uri)));
    }
  }
};

const textOf = async (path: string): Promise<string> => {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size > manifestBytes) throw new TaskError("source", `${path} is too large for a manifest: ${size} bytes`);
    const { buffer, bytesRead } = await file.read(new Uint8Array(size), 0, size, 0);
    return decodeText(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
};
