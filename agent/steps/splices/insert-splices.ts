import { copyFile, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withCues } from "../../../media/splices/cue-playlist.ts";
import { cuesOf } from "../../../media/splices/cues.ts";
import { withEvents } from "../../../media/splices/event-stream.ts";
import { createSpliceInserter } from "../../../media/splices/insert.ts";
import { retimed } from "../../../media/splices/splice-info.ts";
import { bytesOfHex, hexOfBytes } from "../../../shared/basics/hex.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import type { ResolvedOutput } from "../../paths/resolved-paths.ts";
import { outputNamed } from "../named-files.ts";
import type { Performer, StepContext } from "../step.ts";
import { spliceSegments } from "./cut-segments.ts";
import { transportBlocks } from "./transport-blocks.ts";

type Splices = StepOf<"insert_splices">;
type Into = (step: Splices, place: ResolvedOutput, context: StepContext) => Promise<void>;

/** Puts the sections where the form of the output has them. */
export const performInsertSplices: Performer<"insert_splices"> = async (step, context) => {
  const place = outputNamed(step.of, context);
  try {
    await into[step.into](step, place, context);
  } catch (problem) {
    // Only what the stream itself is not fit for has no code.
    if (context.signal.aborted || !(problem instanceof Error) || "code" in problem) throw problem;
    throw new TaskError("media", `${place.output.name} takes no SCTE-35 sections: ${problem.message}`);
  }
  context.log.line(`put ${step.points.length} SCTE-35 sections into ${place.output.name}`);
};

/** Writes the stream again in the attempt's folder, with the sections between its packets, and copies it back. */
const intoStream: Into = async (step, { made: path }, context) => {
  const longer = join(context.scratch, step.id);
  await write(path, longer, step, context);
  await copyFile(longer, path);
  await rm(longer);
};

const write = async (path: string, longer: string, { points, isConstant }: Splices, context: StepContext) => {
  const inserter = createSpliceInserter(points, isConstant);
  await using from = await open(path);
  await using to = await open(longer, "wx");
  for await (const block of transportBlocks(from, context)) await to.write(inserter.through(block));
  await to.write(inserter.end());
};

/** Segments that are made one after the other already begin at the splices. */
const intoSegments: Into = async ({ points }, { made: folder }, context) => {
  const names = (await readdir(folder)).toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
  await spliceSegments({ folder, names, isCut: false }, points, context);
};

const intoPlaylist: Into = async ({ points }, { made: folder, output }, context) => {
  const path = join(folder, output.name);
  const text = await readFile(path, "utf8");
  const names = text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  const { pieces, zero } = await spliceSegments({ folder, names, isCut: true }, points, context);
  // What players are told counts like the stream itself.
  const cues = cuesOf(
    points.map((point) => ({ ...point, section: hexOfBytes(retimed(bytesOfHex(point.section), zero)) })),
  );
  await writeFile(
    path,
    withCues(text, cues, (segment) => pieces.get(segment) ?? []),
  );
};

const intoManifest: Into = async ({ points }, { made: folder, output }) => {
  const path = join(folder, output.name);
  await writeFile(path, withEvents(await readFile(path, "utf8"), points));
};

const into: Readonly<Record<Splices["into"], Into>> = {
  stream: intoStream,
  segments: intoSegments,
  playlist: intoPlaylist,
  manifest: intoManifest,
};
