import { copyFile, open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createPacer, firstClockIn } from "../../../media/splices/pacer.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import { listSequence } from "../../disk/numbered-names.ts";
import type { ResolvedOutput } from "../../paths/resolved-paths.ts";
import { outputNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";
import { transportBlocks } from "./transport-blocks.ts";

type Form = StepOf<"pace_transport">["form"];

/** Writes each file of the stream again in the attempt's folder, and copies it back. The clock runs on from file to file. */
export const performPaceTransport: Performer<"pace_transport"> = async ({ id, of, form, clock, tables }, context) => {
  const place = outputNamed(of, context);
  const files = await filesOf(form, place);
  const isTimed = form === "timed";
  const pacer = createPacer({ clock, tables }, isTimed);
  for (const [at, path] of files.entries()) {
    const longer = join(context.scratch, id);
    const next = files[at + 1];
    {
      await using from = await open(path);
      await using to = await open(longer, "wx");
      for await (const block of transportBlocks(from, context, isTimed)) await to.write(pacer.through(block));
      await to.write(pacer.pause(next === undefined ? undefined : await firstClockOf(next)));
    }
    await copyFile(longer, path);
    await rm(longer);
  }
  context.log.line(`${place.output.name} has its clock every ${clock} ms, and its tables every ${tables} ms`);
};

/** The files of one stream in the order in which they play. */
const filesOf = async (form: Form, { made, output }: ResolvedOutput): Promise<string[]> => {
  if (form === "segments") {
    const names = listSequence(await readdir(made), output.name);
    return names.map((name) => join(made, name));
  }
  if (form !== "playlist") return [made];
  const text = await readFile(join(made, output.name), "utf8");
  const names = text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  return names.map((name) => join(made, name));
};

/** Its tables and the first picture's packet stand at the beginning of a segment. */
const headBytes = 188 * 5000;

const firstClockOf = async (path: string): Promise<number | undefined> => {
  await using file = await open(path);
  const head = Buffer.alloc(headBytes);
  const { bytesRead } = await file.read(head, 0, headBytes, 0);
  return firstClockIn(head.subarray(0, bytesRead));
};
