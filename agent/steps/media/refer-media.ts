import { open, writeFile } from "node:fs/promises";
import { referringMovie } from "../../../media/formats/mp4/references.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { createReadAt } from "../../disk/read-at.ts";
import { boxesWithin, named } from "../../formats/mp4-boxes.ts";
import { outputNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";
import { bytesOfBox, mostMovieBytes } from "./mp4-boxes.ts";

/** The samples' places in the file with the media are those that its own movie box names. */
export const performReferMedia: Performer<"refer_media"> = async ({ of, to, address }, context) => {
  const { made: path, output } = outputNamed(of, context);
  await using file = await open(path, "r");
  const { size } = await file.stat();
  const boxes = await boxesWithin(createReadAt(file), 0, size);
  const [type, movie] = [named(boxes, "ftyp"), named(boxes, "moov")];
  if (!type || !movie || movie.to - movie.from > mostMovieBytes)
    throw new TaskError("media", `${output.name} has no boxes ftyp and moov that a movie could be made of`);
  const made = referringMovie(await bytesOfBox(file, movie), address);
  await writeFile(outputNamed(to, context).made, [await bytesOfBox(file, type), made], { flag: "wx" });
  context.log.line(`wrote a movie that refers to ${output.name}`);
};
