import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { playlistOf } from "../../../media/ffmpeg/opening-args.ts";
import { inputNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";

/** Writes the list of checked files that a later step opens. */
export const performJoin: Performer<"join"> = async ({ to, files }, context) => {
  const listed = files.map(({ asset, seconds }) => ({ path: inputNamed(asset, context).path, seconds }));
  await writeFile(join(context.scratch, to), playlistOf(listed), { mode: 0o600, flag: "wx" });
  context.log.line(`${files.length} sections are combined`);
};
