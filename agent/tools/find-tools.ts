import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { AppError, messageOf } from "../../shared/basics/errors.ts";
import { type Tools, tools as toolsSchema } from "../../shared/protocol/messages.ts";
import type { AgentConfig } from "../config.ts";
import { readTextIfThere, statIfThere } from "../disk/file-system.ts";
import { parseJsonAs } from "../disk/json.ts";
import { writeDurably } from "../disk/own-files.ts";
import type { Run } from "../process/run.ts";
import { measureAbilities } from "./abilities.ts";
import {
  fdkaacPaths,
  ffmpegPaths,
  ffprobePaths,
  isProvenProbe,
  packagerPaths,
  type ToolName,
  type ToolPath,
} from "./tool-paths.ts";

type Tool = { readonly path: string; readonly version: string; readonly build: string };

/** Old ffprobe builds crash on the system's character tables; without them they use their own. */
export const ffprobeEnv = { GCONV_PATH: "/nonexistent" };

const cacheSchema = z.strictObject({ key: z.string(), tools: toolsSchema });

/** Finds ffmpeg and ffprobe and their abilities. Throws AppError naming every place tried if one is missing. */
export const findTools = async (config: AgentConfig, run: Run): Promise<Tools> => {
  const cachePath = join(config.dataDir, "tools.json");
  const cached = parseJsonAs(cacheSchema, await readTextIfThere(cachePath));
  if (cached && (await isStillRight(cached, config, run))) return cached.tools;
  const { tool: ffmpeg } = await findTool({
    name: "ffmpeg",
    given: config.ffmpegPath,
    paths: ffmpegPaths(config),
    run,
  });
  const paths = ffprobePaths(config, ffmpeg.path);
  const ffprobe = await fastestAlike({ name: "ffprobe", given: config.ffprobePath, paths, run });
  const packager = await findHelper(packagerPaths(config)[0], packagerVersion, run);
  const fdkaac = await findHelper(fdkaacPaths(config)[0], fdkaacVersion, run);
  const measured = await measureAbilities(ffmpeg.path, run);
  const helpers = [...(packager ? ["packager"] : []), ...(fdkaac ? ["fdkaac"] : [])];
  const capabilities = ["ffmpeg", "ffprobe", ...helpers, ...measured];
  const tools = { ffmpeg, ffprobe, packager, fdkaac, capabilities };
  await writeDurably(cachePath, JSON.stringify({ key: await keyOf(config, ffmpeg.path), tools }));
  return tools;
};

/** No program that could have been chosen came, went or changed, and those that were chosen still run. */
const isStillRight = async ({ key, tools }: z.output<typeof cacheSchema>, config: AgentConfig, run: Run) => {
  if (key !== (await keyOf(config, tools.ffmpeg?.path))) return false;
  for (const tool of [tools.ffmpeg, tools.ffprobe]) {
    if (!tool || typeof (await tryTool(tool.path, run)) === "string") return false;
  }
  return true;
};

/** The state of all programs that may be chosen. */
const keyOf = async (config: AgentConfig, ffmpegPath: string | undefined): Promise<string> => {
  const { ffmpegPath: ffmpeg, ffprobePath: ffprobe } = config;
  const paths = [
    ...(ffmpeg === undefined ? ffmpegPaths(config).map(({ path }) => path) : [ffmpeg]),
    ...(ffprobe === undefined ? ffprobePaths(config, ffmpegPath).map(({ path }) => path) : [ffprobe]),
    ...packagerPaths(config).slice(0, 1),
    ...fdkaacPaths(config).slice(0, 1),
  ];
  return (await Promise.all(paths.map(stampOf))).join(" ");
};

/** How to ask a helper program for its version, and how to parse the answer. Some exit with the code of wrong usage. */
type VersionQuestion = { readonly args: readonly string[]; readonly answer: RegExp };

const packagerVersion: VersionQuestion = { args: ["--version"], answer: /version v?(\S+)/ };
const fdkaacVersion: VersionQuestion = { args: ["--help"], answer: /^fdkaac (\S+)/ };

/** A helper program, if it runs; tasks that need it wait for a node that has it. */
const findHelper = async (
  path: string | undefined,
  { args, answer }: VersionQuestion,
  run: Run,
): Promise<Tool | null> => {
  if (path === undefined) return null;
  const stats = await statIfThere(path);
  const { stdout } = await run({ command: path, args, limitMs: 20_000 });
  const version = answer.exec(stdout)?.[1];
  if (version === undefined) return null;
  return { path, version, build: buildOf([version, String(stats?.size)]) };
};

type Search = {
  readonly name: ToolName;
  /** The program in FFMPEG_PATH or FFPROBE_PATH: used, or reported as an error, never ignored. */
  readonly given: string | undefined;
  readonly paths: readonly ToolPath[];
  readonly run: Run;
};

/** A tool that runs, and how long its start took. */
type Started = { readonly tool: Tool; readonly startMs: number };

/** The first usable ffprobe, or one that gives the same facts and starts faster: short tasks are mostly its starts. */
const fastestAlike = async (search: Search): Promise<Tool> => {
  const { given, paths, run } = search;
  const first = await findTool(search);
  if (given !== undefined || !isProvenProbe(first.tool.version)) return first.tool;
  const alike = [first];
  for (const { path } of paths.slice(paths.findIndex(({ path }) => path === first.tool.path) + 1)) {
    const found = await tryTool(path, run);
    if (typeof found !== "string" && isProvenProbe(found.tool.version)) alike.push(found);
  }
  return (isClear(alike) ? fastestOf(alike) : fastestOf(await startedAgain(alike, run))).tool;
};

/** One takes less than half the time of any other. Closer results may come from a busy machine or a cold file. */
const isClear = (all: readonly Started[]): boolean => {
  const [fastest = 0, next = Number.POSITIVE_INFINITY] = all.map(({ startMs }) => startMs).sort((a, b) => a - b);
  return next > 2 * fastest;
};

const startedAgain = async (all: readonly Started[], run: Run): Promise<Started[]> => {
  const twice: Started[] = [];
  for (const { tool, startMs } of all) {
    const { wallMs } = await run({ command: tool.path, args: ["-version"], env: ffprobeEnv, limitMs: 20_000 });
    twice.push({ tool, startMs: Math.min(startMs, wallMs) });
  }
  return twice;
};

const fastestOf = (all: readonly Started[]): Started => all.reduce((a, b) => (b.startMs < a.startMs ? b : a));

const findTool = async ({ name, given, paths, run }: Search): Promise<Started> => {
  const variable = `${name.toUpperCase()}_PATH`;
  const tried: string[] = [];
  for (const { from, path } of given === undefined ? paths : [{ from: variable, path: given }]) {
    const found = await tryTool(path, run);
    if (typeof found !== "string") return found;
    tried.push(`${from}${path === "" ? "" : ` (${path})`}: ${found}`);
  }
  const list = tried.map((line) => `\n  ${line}`).join("");
  if (given !== undefined) throw new AppError("UNAVAILABLE", `${variable} does not point to a usable ${name}:${list}`);
  const advice = `Install ffmpeg (which brings ffprobe), or set ${variable} to the program.`;
  throw new AppError(
    "UNAVAILABLE",
    `No usable ${name} was found. ${advice} Tried:${list || "\n  PATH: nothing there"}`,
  );
};

/** The tool at this path, or the reason why it cannot be used. */
const tryTool = async (path: string, run: Run): Promise<Started | string> => {
  if (path === "") return "not installed";
  const stats = await statIfThere(path);
  if (!stats?.isFile()) return "no such file";
  try {
    const { exitCode, stdout, wallMs } = await run({
      ...{ command: path, args: ["-version"], env: ffprobeEnv, limitMs: 20_000 },
    });
    const [line = "", ...more] = stdout.split(/\r?\n/);
    const version = /^ff(?:mpeg|probe) version (\S+)/.exec(line)?.[1];
    if (exitCode !== 0 || version === undefined) return `does not run (exit code ${exitCode})`;
    const configuration = more.find((text) => text.startsWith("configuration:")) ?? "";
    const tool = { path, version, build: buildOf([line, configuration, String(stats.size)]) };
    return { tool, startMs: wallMs };
  } catch (error) {
    return `does not run (${messageOf(error)})`;
  }
};

/** The same build has the same name on every node, whatever its path. */
const buildOf = (facts: readonly string[]): string =>
  createHash("sha256").update(facts.join("\n")).digest("hex").slice(0, 16);

const stampOf = async (path: string): Promise<string> => {
  const stats = await statIfThere(path);
  return `${path}:${stats?.mtimeMs}:${stats?.size}`;
};
