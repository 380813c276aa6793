import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TaskError } from "../../../shared/model/failure.ts";
import type { Performer } from "../step.ts";
import { subtitleSource } from "./subtitles.ts";

/** Small black pictures of days would be less. */
const mostBytes = 1024 * 1024 * 1024;

export const performCaptions: Performer<"captions"> = async (
  { id, from, to, rate, asServices, tracks: wanted },
  context,
) => {
  const path = join(context.scratch, from);
  if ((await stat(path)).size > mostBytes) throw new TaskError("resources", "The captions would last for days");
  const tracks = await Promise.all(
    wanted.map(async ({ asset, field, ...range }) => ({ ...(await subtitleSource({ asset }, context)), field, range })),
  );
  context.log.line(`embed ${tracks.length} track${tracks.length > 1 ? "s" : ""} of closed captions`);
  const pictures = await readFile(path);
  const size = tracks.reduce((sum, { bytes }) => sum + bytes.length, pictures.length);
  const wish = { size, what: "the captions", signal: context.signal };
  const made = await context.services.read("captions", { pictures, rate, tracks, asServices }, wish);
  if (made.told.length > 0) context.keepResult(id, { kind: "told", value: [...made.told] });
  await writeFile(join(context.scratch, to), made.pictures);
};
