import { readManifestFiles } from "../../formats/manifest-files.ts";
import { inputNamed, requireNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";

/** Determines which bytes of which files a manifest refers to. */
export const performManifest: Performer<"manifest"> = async ({ asset }, context) => {
  const { uri, files } = inputNamed(asset, context);
  const { path, size, modified } = requireNamed(files[0], `asset ${asset}`);
  context.log.line(`read manifest ${path}`);
  const manifest = await readManifestFiles(
    uri,
    { resolver: context.resolver, read: context.services.read },
    context.signal,
  );
  return { unchanged: false, file: { uri, size, modified }, tool: "manifest", manifest };
};
