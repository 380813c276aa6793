import { TaskError } from "../../shared/causes.ts";
import { readManifestFiles } from "../manifest-files.ts";
import type { Performer } from "./step.ts";

/** Determines which bytes of which files a manifest refers to. */
export const performManifest: Performer<"manifest"> = async ({ asset }, { paths, resolver, log, signal }) => {
  const input = paths.inputs.get(asset);
  const [file] = input?.files ?? [];
  if (!input || !file)
    throw new TaskError("definition", `A manifest step names ${asset}, which the task does not have`);
  log.line(`read manifest ${file.path}`);
  const manifest = await readManifestFiles(input.uri, resolver, signal);
  const { size, modified } = file;
  return { unchanged: false, file: { uri: input.uri, size, modified }, tool: "manifest", manifest };
};
