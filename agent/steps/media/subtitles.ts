import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Cue, cutCues, SubtitleError, TooMuchText } from "../../../media/subtitles/cue.ts";
import { decodeSubtitles, forms, parseOnClock } from "../../../media/subtitles/index.ts";
import { segmentedWebvtt } from "../../../media/subtitles/segments.ts";
import { definitionError, mediaError, sourceError } from "../../../shared/model/failure.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import type { Performer, StepContext } from "../step.ts";
import { resolveArgument, stagedPath } from "../words.ts";

/** A text of more bytes is none that anybody reads. */
const mostBytes = 64 * 1024 * 1024;

export const performSubtitles: Performer<"subtitles"> = async (step, context) => {
  const { form, language, isDrop, isTrack, stretch, to, segments } = step;
  const cues = cutCues(await cuesOf(step, context), stretch);
  const path = "out" in to ? resolveArgument(to, context) : join(context.scratch, to.scratch);
  context.log.line(`write ${cues.length} subtitles as ${form}`);
  if (!segments) {
    const isBinary = "isBinary" in forms[form];
    await writeFile(path, forms[form].print(cues, { language, isDrop, isTrack }), isBinary ? "latin1" : "utf8");
    return;
  }
  const nameOf = (index: number) =>
    segments.pattern.replace(/%0?(\d*)d/, (_, digits) => String(index).padStart(Number(digits), "0"));
  const made = segmentsOf(cues, { ...segments, nameOf });
  for (const { name, text } of made.segments) {
    context.signal.throwIfAborted();
    await writeFile(join(path, "..", name), text);
  }
  await writeFile(path, made.playlist);
};

const segmentsOf: typeof segmentedWebvtt = (cues, cutting) => {
  try {
    return segmentedWebvtt(cues, cutting);
  } catch (problem) {
    throw asTaskError("the subtitles", problem);
  }
};

/** What no node can afford is `media`: waiting for the source does not help. */
const asTaskError = (name: string, problem: unknown): unknown => {
  if (problem instanceof TooMuchText) return mediaError(`${name}: ${problem.message}`);
  return problem instanceof SubtitleError ? sourceError(`${name}: ${problem.message}`) : problem;
};

const cuesOf = async ({ from, stretch }: StepOf<"subtitles">, context: StepContext): Promise<Cue[]> =>
  from ? readSubtitles(from, context, (text) => parseOnClock(text, stretch.clock ?? 0)) : [];

type Place = NonNullable<StepOf<"subtitles">["from"]>;

/** Reads a bounded text. Throws TaskError `source` naming the file where it is none, `media` where it is too much. */
export const readSubtitles = async <T>(from: Place, context: StepContext, read: (text: string) => T): Promise<T> => {
  const { paths, scratch } = context;
  const asset = "asset" in from ? paths.inputs.get(from.asset) : undefined;
  const path =
    "scratch" in from ? join(scratch, from.scratch) : "staged" in from ? stagedPath(scratch, from.staged) : asset?.path;
  if (path === undefined) throw definitionError("A step reads subtitles that the task does not have");
  const name = asset?.uri ?? "the subtitles";
  const { size } = await stat(path);
  if (size > mostBytes) throw mediaError(`${name} has ${size} bytes, which no text of subtitles has`);
  try {
    return read(decodeSubtitles(await readFile(path)));
  } catch (problem) {
    throw asTaskError(name, problem);
  }
};
