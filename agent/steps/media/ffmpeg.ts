import { z } from "zod";
import { createDecodeWatch } from "../../../media/ffmpeg/decode-errors.ts";
import { createMuxWatch } from "../../../media/ffmpeg/mux-warnings.ts";
import { createProgressParser, type ProgressBlock } from "../../../media/ffmpeg/progress.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import type { Progress } from "../../../shared/protocol/messages.ts";
import { shellCommand } from "../../../shared/texts/shell.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import type { Performer, StepContext } from "../step.ts";
import { resolveArgument } from "../words.ts";
import { keepOthers, readResults } from "./tool-results.ts";

export const performFfmpeg: Performer<"ffmpeg"> = async (step, context) => {
  if (!isWanted(step, context)) {
    keepOthers(step, context);
    return;
  }
  const args = step.argv.map((word) => resolveArgument(word, context));
  const parser = createProgressParser();
  const watch = createDecodeWatch(step.damage ?? {});
  const muxing = createMuxWatch(step.strictMuxers ?? []);
  const tooMuch = new AbortController();
  const reading = readResults(step, context);
  let frame = 0;
  let problem: string | undefined;
  let warned: string | undefined;
  context.log.line(`$ ffmpeg ${shellCommand(args)}`);
  const running = context.tools.ffmpeg({
    args,
    cwd: context.scratch,
    signal: AbortSignal.any([context.signal, tooMuch.signal]),
    onStderr: (text) => {
      reading.stderr(text);
      warned ??= muxing(text);
      const said = watch.feed(text, frame);
      context.log.append(said.log);
      problem ??= said.problem;
      if (problem) tooMuch.abort();
    },
    onStdout: (text) => {
      for (const block of parser.feed(text)) {
        frame = block.frame ?? frame;
        context.onProgress(toProgress(block, step));
      }
    },
  });
  try {
    const { cpuMs, peakMemory } = await running;
    context.onUsage({ cpuMs, peakMemory });
  } catch (error) {
    if (problem === undefined || context.signal.aborted) throw error;
  }
  // A short file may finish before it is stopped; its errors still count.
  if (problem !== undefined) throw new TaskError("source", problem, { argv: ["ffmpeg", ...args].slice(0, 4000) });
  if (warned !== undefined)
    throw new TaskError("media", "The muxer warns, and mux_warnings is as_errors: the log says of what", {
      stderr: warned,
    });
  await reading.keep();
};

const isWanted = ({ onlyIf }: StepOf<"ffmpeg">, { results }: StepContext): boolean => {
  if (!onlyIf) return true;
  const figures = z.record(z.string(), z.unknown()).safeParse(results.get(onlyIf.result)?.value).data ?? {};
  return Number(figures[onlyIf.figure]) - Number(figures[onlyIf.over]) > onlyIf.by;
};

const toProgress = (
  { frame, fps, speed, outTime }: ProgressBlock,
  { duration, begin = 0 }: Pick<StepOf<"ffmpeg">, "duration" | "begin">,
): Progress => {
  const position = outTime === undefined ? undefined : Math.max(0, outTime - begin);
  const percent = position === undefined || duration === undefined ? undefined : (position / duration) * 100;
  return { frame, fps, speed, position, percent: percent === undefined ? undefined : Math.min(100, percent) };
};
