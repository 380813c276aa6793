import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pairsOfPictures } from "../../../media/captions/schedule-pairs.ts";
import { withCaptions } from "../../../media/captions/sei.ts";
import { captionLinesOf, lagOf } from "../../../media/subtitles/index.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import type { Performer } from "../step.ts";
import { readSubtitles } from "./subtitles.ts";

/** Small black pictures of days would be less. */
const mostBytes = 1024 * 1024 * 1024;

export const performCaptions: Performer<"captions"> = async ({ from, to, rate, tracks }, context) => {
  const path = join(context.scratch, from);
  if ((await stat(path)).size > mostBytes) throw new TaskError("resources", "The captions would last for days");
  const read = tracks.map(({ asset, field, from: begin, clock = 0 }) =>
    readSubtitles({ asset }, context, (text) => ({
      ...{ field, from: begin + lagOf(text, clock), lines: captionLinesOf(text) },
    })),
  );
  const pairsOf = pairsOfPictures(await Promise.all(read), rate);
  context.log.line(`embed ${tracks.length} track${tracks.length > 1 ? "s" : ""} of closed captions`);
  await writeFile(join(context.scratch, to), withCaptions(await readFile(path), pairsOf));
};
