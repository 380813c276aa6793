import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ffmpegHead } from "../../../media/ffmpeg/args.ts";
import { type Bitmap, bitmapOf } from "../../../media/subtitles/dvb/bitmap.ts";
import { clearSet, displaySet, type PageStyle } from "../../../media/subtitles/dvb/display-sets.ts";
import { type Page, readPages } from "../../../media/subtitles/dvb/pages.ts";
import { mostBytes, trackCluster, trackHead } from "../../../media/subtitles/dvb/track.ts";
import { mediaError, TaskError } from "../../../shared/model/failure.ts";
import { shellCommand } from "../../../shared/texts/shell.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import { readPlainPng } from "../../formats/png.ts";
import type { Performer, StepContext } from "../step.ts";

/** A film has some thousands. */
const mostPages = 50_000;
/** So many pages are drawn before their pictures are read and removed. */
const drawnAtOnce = 500;

export const performDvbSubtitles: Performer<"dvb_subtitles"> = async (step, context) => {
  const pages = readPages(await readFile(join(context.scratch, step.from), "utf8"));
  if (pages.length > mostPages) throw new TaskError("resources", `There are ${pages.length} pages of subtitles`);
  const { language, type, page: pageId } = step;
  const style: PageStyle = { ...step, pageId };
  await using file = await open(join(context.scratch, step.to), "wx");
  const write = (bytes: readonly number[]) => file.write(Buffer.from(bytes));
  let version = 0;
  // It begins where the timeline does: whoever reads it counts from its first unit.
  await write([...trackHead({ language, type, pageId }), ...trackCluster(clearSet(undefined, style, version), 0)]);
  for (let first = 0; first < pages.length; first += drawnAtOnce) {
    const some = pages.slice(first, first + drawnAtOnce);
    await drawPages(step, context, { first, count: some.length });
    for (const [at, page] of some.entries()) {
      context.signal.throwIfAborted();
      const bitmap = await drawnAt(context, at, 2 ** step.depth - 1);
      if (!bitmap) continue;
      version += 1;
      await write(trackCluster(segmentsOf(bitmap, style, version, page), page.from));
      if (pages[first + at + 1]?.from === page.to) continue;
      version += 1;
      await write(trackCluster(clearSet(bitmap, style, version), page.to));
    }
    context.onProgress({ percent: (100 * (first + some.length)) / pages.length });
  }
};

const segmentsOf = (bitmap: Bitmap, style: PageStyle, version: number, { from, to }: Page): number[] => {
  const segments = displaySet(bitmap, style, version, (to - from) / 1000);
  if (segments.length <= mostBytes) return segments;
  throw mediaError(
    `The subtitles at ${(from / 1000).toFixed(3)} s need ${segments.length} bytes in ${style.depth} bits, more than a unit may have: choose a smaller color_depth_bits, width_overide or height_overide`,
  );
};

const pictureName = (at: number): string => `page_${at}.png`;

/** The script has a page each second, and so does what is drawn. */
const drawPages = async (
  { from, canvas: { width, height }, aspect }: StepOf<"dvb_subtitles">,
  { scratch, log, tools, signal, onUsage }: StepContext,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<void> => {
  const seen = `${Math.max(16, Math.round(height * aspect))}x${height}`;
  const drawing = `subtitles=filename=${from}:fontsdir=.:alpha=1:original_size=${seen}:force_style='FontName=DejaVu Sans'`;
  const args = [
    ...ffmpegHead,
    ...["-f", "lavfi", "-i", `color=c=black@0:s=${width}x${height}:r=1:d=${count},format=rgba`],
    ...["-vf", `setpts=PTS+${first}/TB,${drawing}`, "-fps_mode", "passthrough"],
    ...[
      "-frames:v",
      String(count),
      "-c:v",
      "png",
      "-pred",
      "none",
      "-f",
      "image2",
      "-start_number",
      "0",
      "page_%d.png",
    ],
  ];
  log.line(`$ ffmpeg ${shellCommand(args)}`);
  const { cpuMs, peakMemory } = await tools.ffmpeg({
    args,
    cwd: scratch,
    signal,
    onStderr: (text) => log.append(text),
  });
  onUsage({ cpuMs, peakMemory });
};

const drawnAt = async ({ scratch }: StepContext, at: number, colors: number): Promise<Bitmap | undefined> => {
  const path = join(scratch, pictureName(at));
  const picture = readPlainPng(await readFile(path));
  await rm(path);
  return bitmapOf(picture, colors);
};
