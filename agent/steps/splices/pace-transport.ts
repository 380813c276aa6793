import { copyFile, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { createPacer } from "../../../media/splices/pacer.ts";
import { outputNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";
import { transportBlocks } from "./transport-blocks.ts";

/** Writes the stream again in the attempt's folder, and copies it back. */
export const performPaceTransport: Performer<"pace_transport"> = async ({ id, of, clock, tables }, context) => {
  const { made: path, output } = outputNamed(of, context);
  const longer = join(context.scratch, id);
  const pacer = createPacer({ clock, tables });
  {
    await using from = await open(path);
    await using to = await open(longer, "wx");
    for await (const block of transportBlocks(from, context)) await to.write(pacer.through(block));
    await to.write(pacer.end());
  }
  await copyFile(longer, path);
  await rm(longer);
  context.log.line(`${output.name} has its clock every ${clock} ms, and its tables every ${tables} ms`);
};
