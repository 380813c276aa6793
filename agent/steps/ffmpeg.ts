import { join } from "node:path";
import { TaskError } from "../../shared/causes.ts";
import { createDecodeWatch } from "../../shared/ffmpeg/decode-errors.ts";
import { createProgressParser, type ProgressBlock } from "../../shared/ffmpeg/progress.ts";
import type { Progress } from "../../shared/protocol.ts";
import { type Arg, isFolder } from "../../shared/work.ts";
import { showCommand } from "../attempt-log.ts";
import type { ResolvedOutput } from "../path-resolver.ts";
import type { Performer, StepContext } from "./step.ts";

export const performFfmpeg: Performer<"ffmpeg"> = async (step, context) => {
  const args = step.argv.map((word) => resolveArg(word, context));
  const parser = createProgressParser();
  const watch = createDecodeWatch(step.damage ?? {});
  const tooMuch = new AbortController();
  let frame = 0;
  let problem: string | undefined;
  context.log.line(`$ ffmpeg ${showCommand(args)}`);
  const running = context.tools.ffmpeg({
    args,
    cwd: context.scratch,
    signal: AbortSignal.any([context.signal, tooMuch.signal]),
    onStderr: (text) => {
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
  // A short file may be done before it is stopped: it has as many errors all the same.
  if (problem !== undefined) throw new TaskError("source", problem, { argv: ["ffmpeg", ...args].slice(0, 4000) });
  return undefined;
};

const resolveArg = (word: Arg, { paths, scratch }: StepContext): string => {
  if (typeof word === "string") return word;
  if ("scratch" in word) return join(scratch, word.scratch);
  if ("asset" in word) return known(paths.inputs.get(word.asset), `asset ${word.asset}`).path;
  return outputPath(known(paths.outputs.get(word.out), `output ${word.out}`), word.file);
};

/** What has many files is made in a folder. */
const outputPath = ({ output, made }: ResolvedOutput, file = output.name): string =>
  isFolder(output) ? join(made, file) : made;

const known = <T>(place: T | undefined, what: string): T => {
  if (place === undefined) throw new TaskError("definition", `A step names ${what}, which the task does not have`);
  return place;
};

const toProgress = ({ frame, fps, speed, outTime }: ProgressBlock, duration: number | undefined): Progress => ({
  frame,
  fps,
  speed,
  position: outTime,
  percent: outTime === undefined || duration === undefined ? undefined : Math.min(100, (outTime / duration) * 100),
});
