import { copyFile, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { createSpliceInserter } from "../../../media/splices/insert.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import { outputNamed } from "../named-files.ts";
import type { Performer, StepContext } from "../step.ts";
import { transportBlocks } from "./transport-blocks.ts";

/** Writes the stream again in the attempt's folder, with the sections between its packets, and copies it back. */
export const performInsertSplices: Performer<"insert_splices"> = async (step, context) => {
  const { made: path, output } = outputNamed(step.of, context);
  const longer = join(context.scratch, step.id);
  try {
    await write(path, longer, step, context);
  } catch (problem) {
    // Only what the stream itself is not fit for has no code.
    if (context.signal.aborted || !(problem instanceof Error) || "code" in problem) throw problem;
    throw new TaskError("media", `${output.name} takes no SCTE-35 sections: ${problem.message}`);
  }
  await copyFile(longer, path);
  await rm(longer);
  context.log.line(`put ${step.points.length} SCTE-35 sections into ${output.name}`);
};

type Splices = StepOf<"insert_splices">;

const write = async (path: string, longer: string, { points, isConstant }: Splices, context: StepContext) => {
  const inserter = createSpliceInserter(points, isConstant);
  await using from = await open(path);
  await using to = await open(longer, "wx");
  for await (const block of transportBlocks(from, context)) await to.write(inserter.through(block));
  await to.write(inserter.end());
};
