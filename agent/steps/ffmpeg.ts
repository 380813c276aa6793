import { TaskError } from "../../shared/causes.ts";
import { createDecodeWatch } from "../../shared/ffmpeg/decode-errors.ts";
import { createProgressParser, type ProgressBlock } from "../../shared/ffmpeg/progress.ts";
import type { Progress } from "../../shared/protocol.ts";
import { showCommand } from "../attempt-log.ts";
import { readResults } from "./results.ts";
import type { Performer } from "./step.ts";
import { resolveWord } from "./words.ts";

export const performFfmpeg: Performer<"ffmpeg"> = async (step, context) => {
  const args = step.argv.map((word) => resolveWord(word, context));
  const parser = createProgressParser();
  const watch = createDecodeWatch(step.damage ?? {});
  const tooMuch = new AbortController();
  const reading = readResults(step, context);
  let frame = 0;
  let problem: string | undefined;
  context.log.line(`$ ffmpeg ${showCommand(args)}`);
  const running = context.tools.ffmpeg({
    args,
    cwd: context.scratch,
    signal: AbortSignal.any([context.signal, tooMuch.signal]),
    onStderr: (text) => {
      reading.stderr(text);
      const said = watch.feed(text, frame);
      context.log.append(said.log);
      problem ??= said.problem;
      if (problem) tooMuch.abort();
    },
    onStdout: (text) => {
      for (const block of parser.feed(text)) {
        frame = block.frame ?? frame;
        context.onProgress(toProgress(block, step.duration));
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
  await reading.keep();
};

const toProgress = ({ frame, fps, speed, outTime }: ProgressBlock, duration: number | undefined): Progress => ({
  frame,
  fps,
  speed,
  position: outTime,
  percent: outTime === undefined || duration === undefined ? undefined : Math.min(100, (outTime / duration) * 100),
});
