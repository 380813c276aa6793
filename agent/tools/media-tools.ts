import { brokeOff, diagnose } from "../../media/ffmpeg/diagnose.ts";
import { firstPacketsArgv, probeWithFirstPacketsArgv } from "../../media/ffmpeg/first-packets.ts";
import { createPacketReader, packetsArgv } from "../../media/ffmpeg/packets.ts";
import { probeArgv } from "../../media/ffmpeg/probe.ts";
import { needsSample, sampleArgv, withSample } from "../../media/ffmpeg/rate-sample.ts";
import type { MediaFacts } from "../../shared/model/asset.ts";
import { capabilityError, TaskError } from "../../shared/model/failure.ts";
import type { Tools } from "../../shared/protocol/messages.ts";
import type { FrameListing, FrameQuestion } from "../../shared/work/frame-listing.ts";
import type { ReadForeign } from "../foreign/pool.ts";
import type { Run, RunOptions, RunResult } from "../process/run.ts";
import { ffprobeEnv } from "./find-tools.ts";

type FfmpegOptions = Omit<RunOptions, "command">;

export type ProbeOptions = {
  readonly path: string;
  /** Whether the path means the joined bytes of several files. */
  readonly isJoined?: boolean;
  /** Also read the first frames, for facts that containers do not store. */
  readonly peek?: boolean;
  readonly size: number;
  readonly name: string;
  readonly signal: AbortSignal;
};

/** The node's ffmpeg and ffprobe. */
export type MediaTools = {
  /** Identifies the ffprobe that found these facts. */
  readonly probeBuild: string;
  /** Runs to the end. Throws TaskError with the command and its last output if it fails. */
  ffmpeg(options: FfmpegOptions): Promise<RunResult>;
  /** Runs Shaka Packager in the same way. */
  packager(options: FfmpegOptions): Promise<RunResult>;
  fdkaac(options: FfmpegOptions): Promise<RunResult>;
  /** `name` is for messages: a temporary name would tell people nothing. */
  probe(options: ProbeOptions): Promise<MediaFacts>;
  /** All packets of one stream, counted from a time stamp on. */
  frames(options: FramesOptions): Promise<FrameListing>;
};

export type FramesOptions = Pick<ProbeOptions, "path" | "isJoined" | "name" | "signal"> & {
  readonly question: FrameQuestion;
  readonly onCount: (packets: number) => void;
};

const probeLimitMs = 120_000;

/** Raise this when the same ffprobe returns more facts than before: stored facts are then probed again. */
const factsVersion = 5;

export const createMediaTools = (tools: Tools, run: Run, read: ReadForeign): MediaTools => ({
  probeBuild: `${tools.ffprobe?.build ?? "none"}.${factsVersion}`,
  ffmpeg: async (options) => {
    const command = pathOf(tools, "ffmpeg");
    const result = await run({ ...options, command });
    options.signal?.throwIfAborted();
    if (result.exitCode !== 0 || brokeOff(result.stderrTail, options.args))
      throw failed([command, ...options.args], result, "");
    return result;
  },
  packager: (options) => runHelper("packager", tools, run, options),
  fdkaac: (options) => runHelper("fdkaac", tools, run, options),
  probe: (options) => probe(pathOf(tools, "ffprobe"), { run, read }, options),
  frames: (options) => listFrames(tools, run, options),
});

const runHelper = async (
  name: "packager" | "fdkaac",
  tools: Tools,
  run: Run,
  options: FfmpegOptions,
): Promise<RunResult> => {
  const result = await run({ ...options, command: pathOf(tools, name) });
  options.signal?.throwIfAborted();
  if (result.exitCode === 0) return result;
  const { exitCode, stderrTail: stderr } = result;
  const argv = [name, ...options.args.filter((word) => !word.startsWith("--flagfile="))];
  throw new TaskError("media", `${name} failed: ${lastLineOf(stderr)}`, { argv, exitCode, stderr });
};

type Probing = { readonly run: Run; readonly read: ReadForeign };

const probe = async (command: string, { run, read }: Probing, options: ProbeOptions): Promise<MediaFacts> => {
  const { path, isJoined, peek = false, size, name, signal } = options;
  const runProbe = async (args: string[]): Promise<RunResult> => {
    const result = await run({ command, args, signal, env: ffprobeEnv, limitMs: probeLimitMs });
    signal.throwIfAborted();
    return result;
  };
  const args = probeArgv(path, isJoined);
  const both = peek ? await runProbe(probeWithFirstPacketsArgv(path, isJoined)) : undefined;
  // Frames that cannot be decoded matter only to decoding tasks: here the file is probed without them.
  const result = both?.exitCode === 0 ? both : await runProbe(args);
  if (result.timedOut)
    throw new TaskError("timeout", `${name}: ffprobe did not finish within ${probeLimitMs / 1000} s`);
  if (result.exitCode !== 0) throw failed([command, ...args], result, `${name}: `);
  const reportOf = (json: string, of?: MediaFacts) =>
    read("probe", { json, size, name, peek, ...(of && { of }) }, { size: json.length, what: name, signal });
  const { facts, seen: atOnce } = await reportOf(result.stdout);
  if (!peek) return facts;
  const peekAlone = async () => {
    const { stdout } = await runProbe(firstPacketsArgv(facts, path, isJoined));
    return (await reportOf(stdout, facts)).seen ?? facts;
  };
  const seen = atOnce ?? (await peekAlone());
  return needsSample(seen) ? withSample(seen, (await runProbe(sampleArgv(seen, path, isJoined))).stdout) : seen;
};

const listFrames = async (tools: Tools, run: Run, options: FramesOptions): Promise<FrameListing> => {
  const { path, isJoined, question, name, signal, onCount } = options;
  const command = pathOf(tools, "ffprobe");
  const args = packetsArgv(path, question.stream, isJoined);
  const reader = createPacketReader(name);
  const tooMany = new AbortController();
  let problem: unknown;
  const onStdout = (text: string) => {
    try {
      reader.feed(text);
      onCount(reader.count());
    } catch (error) {
      problem = error;
      tooMany.abort();
    }
  };
  const result = await run({
    command,
    args,
    env: ffprobeEnv,
    onStdout,
    signal: AbortSignal.any([signal, tooMany.signal]),
  });
  signal.throwIfAborted();
  if (problem) throw problem;
  if (result.exitCode !== 0) throw failed([command, ...args], result, `${name}: `);
  return reader.listing(question);
};

const lastLineOf = (text: string): string => text.trim().split("\n").at(-1)?.slice(0, 1000) ?? "it said nothing";

const pathOf = (tools: Tools, name: "ffmpeg" | "ffprobe" | "packager" | "fdkaac"): string => {
  const path = tools[name]?.path;
  if (path === undefined) throw capabilityError(`This node has no ${name}`);
  return path;
};

const failed = (argv: readonly string[], { exitCode, signal, stderrTail }: RunResult, prefix: string): TaskError => {
  const { cause, message } = diagnose({ args: argv.slice(1), exitCode, signal, stderr: stderrTail });
  return new TaskError(cause, prefix + message, { argv: argv.slice(0, 4000), exitCode, stderr: stderrTail });
};
