import { join } from "node:path";
import { TaskError } from "../../shared/causes.ts";
import { createProgressParser, type ProgressBlock } from "../../shared/ffmpeg/progress.ts";
import type { Progress } from "../../shared/protocol.ts";
import type { Arg } from "../../shared/work.ts";
import { showCommand } from "../attempt-log.ts";
import type { OutputPlace } from "../places.ts";
import type { Performer, StepContext } from "./step.ts";

export const performFfmpeg: Performer<"ffmpeg"> = async (step, context) => {
  const args = step.argv.map((word) => resolveWord(word, context));
  const parser = createProgressParser();
  context.log.line(`$ ffmpeg ${showCommand(args)}`);
  const { cpuMs, peakMemory } = await context.tools.ffmpeg({
    args,
    cwd: context.scratch,
    signal: context.signal,
    onStderr: context.log.append,
    onStdout: (text) => {
      for (const block of parser.feed(text)) context.onProgress(toProgress(block, step.duration));
    },
  });
  context.onUsage({ cpuMs, peakMemory });
  return undefined;
};

const resolveWord = (word: Arg, { places, scratch }: StepContext): string => {
  if (typeof word === "string") return word;
  if ("scratch" in word) return join(scratch, word.scratch);
  if ("asset" in word) return known(places.inputs.get(word.asset), `asset ${word.asset}`).path;
  return writtenTo(known(places.outputs.get(word.out), `output ${word.out}`));
};

/** A sequence's pattern goes into its temporary folder. */
const writtenTo = ({ output, temp }: OutputPlace): string => (output.isSequence ? join(temp, output.name) : temp);

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
