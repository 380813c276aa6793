import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SubtitleSource } from "../../../media/subtitles/convert.ts";
import { forms } from "../../../media/subtitles/index.ts";
import { nameOf } from "../../../shared/files/location.ts";
import { definitionError, fileError } from "../../../shared/model/failure.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import type { Performer, StepContext } from "../step.ts";
import { resolveArgument, stagedPath } from "../words.ts";

/** A text of more bytes is none that anybody reads. */
const mostBytes = 64 * 1024 * 1024;

export const performSubtitles: Performer<"subtitles"> = async (step, context) => {
  const { id, form, language, isDrop, isTrack, streamClock, stretch, to, segments } = step;
  const source = step.from && (await subtitleSource(step.from, context));
  const path = "out" in to ? resolveArgument(to, context) : join(context.scratch, to.scratch);
  const date = context.clock.now();
  const conversion = { source, form, language, isDrop, isTrack, streamClock, date, stretch, segments };
  const wish = { size: source?.bytes.length ?? 0, what: source?.name ?? "the subtitles", signal: context.signal };
  const made = await context.services.read("subtitles", conversion, wish);
  if (made.told.length > 0) context.keepResult(id, { kind: "told", value: [...made.told] });
  context.log.line(`write ${made.count} subtitles as ${form}`);
  for (const part of made.segments) {
    context.signal.throwIfAborted();
    await writeFile(join(path, "..", part.name), part.text);
  }
  const isBinary = !segments && "isBinary" in forms[form];
  await writeFile(path, made.text, isBinary ? "latin1" : "utf8");
};

type Place = NonNullable<StepOf<"subtitles">["from"]>;

/** Throws TaskError `media` if it is too large for a text. */
export const subtitleSource = async (from: Place, { paths, scratch }: StepContext): Promise<SubtitleSource> => {
  const asset = "asset" in from ? paths.inputs.get(from.asset) : undefined;
  const path =
    "scratch" in from ? join(scratch, from.scratch) : "staged" in from ? stagedPath(scratch, from.staged) : asset?.path;
  if (path === undefined) throw definitionError("A step reads subtitles that the task does not have");
  const name = asset?.uri ?? "the subtitles";
  refuseLargeText(name, (await stat(path)).size);
  return { name, label: asset ? nameOf(asset.uri) : "a track of the source", bytes: await readFile(path) };
};

export const refuseLargeText = (name: string, size: number): void => {
  if (size > mostBytes) throw fileError(`${name} has ${size} bytes, which no text of subtitles has`);
};
