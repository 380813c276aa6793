import { copyFile, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { createOwnClock } from "../../../media/splices/own-clock.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { outputNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";
import { transportBlocks } from "./transport-blocks.ts";

/** Writes the stream again in the attempt's folder, with packets of the clock, and copies it back. */
export const performOwnClock: Performer<"own_clock"> = async ({ id, of, pid, bitRate }, context) => {
  const { made: path, output } = outputNamed(of, context);
  const changed = join(context.scratch, id);
  const clock = createOwnClock(pid, bitRate);
  try {
    await using from = await open(path);
    await using to = await open(changed, "wx");
    for await (const block of transportBlocks(from, context)) await to.write(clock.through(block));
    context.log.line(`gave the clock of ${output.name} the number ${pid}, ${clock.end()} times`);
  } catch (problem) {
    if (context.signal.aborted || !(problem instanceof Error) || "code" in problem) throw problem;
    throw new TaskError("media", `${output.name} takes no clock of its own: ${problem.message}`);
  }
  await copyFile(changed, path);
  await rm(changed);
};
