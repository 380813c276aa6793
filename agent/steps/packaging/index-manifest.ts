import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listedFiles, withSegmentBases } from "../../../media/packaging/segment-base.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { readMediaIndex } from "../../formats/media-index.ts";
import { outputNamed, requireNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";

/** Reads where each file of the manifest has its index, and writes the manifest again. */
export const performIndexManifest: Performer<"index_manifest"> = async ({ of }, context) => {
  const { made, output } = outputNamed(of, context);
  const path = join(made, output.name);
  const manifest = await readFile(path, "utf8");
  const names = listedFiles(manifest);
  const places = await Promise.all(names.map(async (name) => [name, await indexIn(join(made, name), name)] as const));
  const found = new Map(places);
  await writeFile(
    path,
    withSegmentBases(manifest, (name) => requireNamed(found.get(name), name)),
  );
  context.log.line(`${output.name} names the indexes of ${names.length} files`);
};

const indexIn = async (path: string, name: string) => {
  const { head, index } = await readMediaIndex(path, name);
  if (!index) throw new TaskError("media", `${name} was made without an index`);
  return { head, ...index };
};
