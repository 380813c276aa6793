import { open, readFile } from "node:fs/promises";
import { createSpliceFinder } from "../../../media/splices/find.ts";
import { jobSections, pointsOfSections } from "../../../media/splices/job-section.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import { sourceError } from "../../../shared/model/failure.ts";
import { maxSplicePoints, type SplicePoint } from "../../../shared/work/splice-point.ts";
import { inputNamed } from "../named-files.ts";
import type { Performer, StepContext } from "../step.ts";
import { transportBlocks } from "./transport-blocks.ts";

/** A list of more bytes has more points than a target may have. */
const mostBytes = 16 * 1024 * 1024;

export const performFindSplices: Performer<"find_splices"> = async ({ id, asset, stream }, context) => {
  const { path, uri } = inputNamed(asset, context);
  const points = await (stream ? pointsInStream(path, stream, context) : pointsInList(path)).catch((problem) => {
    throw context.signal.aborted ? problem : sourceError(`${uri}: ${messageOf(problem)}`);
  });
  if (points.length > maxSplicePoints)
    throw sourceError(`${uri} has ${points.length} SCTE-35 sections; the most is ${maxSplicePoints}`);
  context.log.line(`found ${points.length} SCTE-35 sections`);
  context.keepResult(id, { kind: "splices", value: { points: [...points] } });
  return undefined;
};

type Stream = Parameters<typeof createSpliceFinder>[0];

const pointsInStream = async (path: string, stream: Stream, context: StepContext): Promise<readonly SplicePoint[]> => {
  const finder = createSpliceFinder(stream);
  await using file = await open(path);
  for await (const block of transportBlocks(file, context)) finder.see(block);
  return finder.points;
};

/** Either the list itself, or an object that has it under the name it has in a job. */
const pointsInList = async (path: string): Promise<readonly SplicePoint[]> => {
  await using file = await open(path);
  const { size } = await file.stat();
  if (size > mostBytes) throw new Error(`it has ${size} bytes, which no list of splice points has`);
  const read: unknown = JSON.parse(await readFile(file, "utf8"));
  const isWrapped = typeof read === "object" && read !== null && "scte35_sections" in read;
  const sections = jobSections.safeParse(isWrapped ? read.scte35_sections : read);
  if (sections.success) return pointsOfSections(sections.data);
  const [issue] = sections.error.issues;
  throw new Error(`it is no list of scte35_sections: ${issue?.path.join(".")} ${issue?.message}`);
};
