import { open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { bifHead } from "../../../media/formats/bif.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import { listSequence } from "../../disk/numbered-names.ts";
import { inputNamed, outputNamed } from "../named-files.ts";
import type { Performer, StepContext } from "../step.ts";

/** Writes the index and then one picture after the other. */
export const performBif: Performer<"bif"> = async (step, context) => {
  const { to, multiplier } = step;
  const target = outputNamed(to, context);
  const pictures = await picturesOf(step, context);
  if (pictures.length === 0) throw new TaskError("media", `${target.output.name}: there is no picture to index`);
  const sizes = await Promise.all(pictures.map(async (path) => (await stat(path)).size));
  context.log.line(`index ${pictures.length} pictures, one every ${multiplier} ms`);
  await using file = await open(target.made, "wx");
  await file.appendFile(bifHead(sizes, multiplier));
  for (const path of pictures) {
    context.signal.throwIfAborted();
    await file.appendFile(await readFile(path));
  }
};

const picturesOf = async ({ from }: StepOf<"bif">, context: StepContext): Promise<string[]> => {
  const { scratch } = context;
  if ("scratch" in from)
    return listSequence(await readdir(scratch), `${from.scratch}.jpg`).map((name) => join(scratch, name));
  return from.assets.map((id) => inputNamed(id, context).path);
};
