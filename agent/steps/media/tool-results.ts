import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parserNamed } from "../../../media/results/index.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import { capabilityError, TaskError } from "../../../shared/model/failure.ts";
import type { LineReader } from "../../../shared/model/step-result.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import type { StepContext } from "../step.ts";

/** A longer text is not a line of a tool's output. */
const maxLine = 1_000_000;

type Reading = {
  /** The next piece of the tool's stderr. */
  stderr(text: string): void;
  /** Reads the tool's output files and stores all results. Throws TaskError if one is missing. */
  keep(): Promise<void>;
};

/** Reads a step's results while its tool runs and after it. */
export const readResults = ({ id: stepId, results = {} }: StepOf<"ffmpeg">, context: StepContext): Reading => {
  const readers = Object.entries(results).map(([id, { parser: name, options, from }]) => {
    const parser = parserNamed(name);
    if (!parser) throw capabilityError(`${stepId}: this node has no parser "${name}"`);
    return { id, kind: parser.kind, from, reader: parser.begin(options) };
  });
  const listening = readers.flatMap(({ from, reader }) => (from === "stderr" ? [reader] : []));
  const lines = splitLines((line) => {
    for (const reader of listening) reader.line(line);
  });
  return {
    stderr: listening.length > 0 ? lines.feed : () => {},
    keep: async () => {
      lines.end();
      for (const { id, kind, from, reader } of readers) {
        if (from !== "stderr") {
          const path = join(context.scratch, from.scratch);
          await (from.lineBytes === undefined ? readFile(path, reader) : readBytes(path, from.lineBytes, reader));
        }
        context.keepResult(id, { kind, value: readEnd(id, reader) });
      }
    },
  };
};

/** The results of a step that is not performed. */
export const keepOthers = ({ id: stepId, results = {} }: StepOf<"ffmpeg">, context: StepContext): void => {
  context.log.line(`${stepId} is not needed`);
  for (const [id, { parser, otherwise }] of Object.entries(results)) {
    const kind = parserNamed(parser)?.kind;
    if (kind !== undefined && otherwise !== undefined) context.keepResult(id, { kind, value: otherwise });
  }
};

const readEnd = (id: string, reader: LineReader) => {
  try {
    return reader.end();
  } catch (error) {
    throw new TaskError("media", `${id}: ${messageOf(error)}`);
  }
};

const readFile = async (path: string, reader: LineReader): Promise<void> => {
  const lines = createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) reader.line(line.slice(0, maxLine));
};

/** A rest that is shorter than a line is no line. */
const readBytes = async (path: string, size: number, reader: LineReader): Promise<void> => {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path)) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % size);
    for (let at = 0; at < whole; at += size) reader.line(bytes.toString("hex", at, at + size));
    rest = bytes.subarray(whole);
  }
};

/** Splits a text that arrives in pieces into whole lines. */
const splitLines = (onLine: (line: string) => void) => {
  let rest = "";
  return {
    feed: (text: string) => {
      const lines = (rest + text).split(/\r?\n|\r/);
      rest = (lines.pop() ?? "").slice(-maxLine);
      for (const line of lines) onLine(line);
    },
    end: () => {
      if (rest !== "") onLine(rest);
      rest = "";
    },
  };
};
