import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { AppError, messageOf } from "../shared/errors.ts";
import { type Tools, tools as toolsSchema } from "../shared/protocol.ts";
import type { AgentConfig } from "./config.ts";
import { readTextIfThere, statIfThere } from "./disk.ts";
import { parseJsonAs } from "./json.ts";
import { writeDurably } from "./own-files.ts";
import type { Run } from "./process.ts";
import { measureAbilities } from "./tool-abilities.ts";
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
  const ffmpeg = await findTool({ name: "ffmpeg", given: config.ffmpegPath, paths: ffmpegPaths(config), run });
  const paths = ffprobePaths(config, ffmpeg.path);
  const ffprobe = await fastestAlike({ name: "ffprobe", given: config.ffprobePath, paths, run });
  const [packagerPath] = packagerPaths(config);
  const [fdkaacPath] = fdkaacPaths(config);
  const stamped = [ffmpeg.path, ffprobe.path, packagerPath, fdkaacPath].filter((path) => path !== undefined);
  const key = (await Promise.all(stamped.map(stampOf))).join(" ");
  const cachePath = join(config.dataDir, "tools.json");
  const cached = parseJsonAs(cacheSchema, await readTextIfThere(cachePath));
  if (cached?.key === key) return cached.tools;
  const packager = await findHelper(packagerPath, packagerVersion, run);
  const fdkaac = await findHelper(fdkaacPath, fdkaacVersion, run);
  const measured = await measureAbilities(ffmpeg.path, run);
  const helpers = [...(packager ? ["packager"] : []), ...(fdkaac ? ["fdkaac"] : [])];
  const capabilities = ["ffmpeg", "ffprobe", ...helpers, ...measured];
  const tools = { ffmpeg, ffprobe, packager, fdkaac, capabilities };
  await writeDurably(cachePath, JSON.stringify({ key, tools }));
  return tools;
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

/** The first usable ffprobe, or one that gives the same facts and starts faster: short tasks are mostly its starts. */
const fastestAlike = async (search: Search): Promise<Tool> => {
  const { given, paths, run } = search;
  const first = await findTool(search);
  if (given !== undefined || !isProvenProbe(first.version)) return first;
  const rest = paths.slice(paths.findIndex(({ path }) => path === first.path) + 1);
  const others = await Promise.all(rest.map(({ path }) => tryTool(path, run)));
  const proven = others.filter((each) => typeof each !== "string").filter(({ version }) => isProvenProbe(version));
  let best = { tool: first, startMs: await startMsOf(first, run) };
  for (const tool of proven) {
    const startMs = await startMsOf(tool, run);
    if (startMs < best.startMs) best = { tool, startMs };
  }
  return best.tool;
};

/** The quicker of two starts: the machine may be busy, and the program not yet in memory. */
const startMsOf = async ({ path }: Tool, run: Run): Promise<number> => {
  const start = () => run({ command: path, args: ["-version"], env: ffprobeEnv, limitMs: 20_000 });
  return Math.min((await start()).wallMs, (await start()).wallMs);
};

const findTool = async ({ name, given, paths, run }: Search): Promise<Tool> => {
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
const tryTool = async (path: string, run: Run): Promise<Tool | string> => {
  if (path === "") return "not installed";
  const stats = await statIfThere(path);
  if (!stats?.isFile()) return "no such file";
  try {
    const { exitCode, stdout } = await run({ command: path, args: ["-version"], env: ffprobeEnv, limitMs: 20_000 });
    const [line = "", ...more] = stdout.split(/\r?\n/);
    const version = /^ff(?:mpeg|probe) version (\S+)/.exec(line)?.[1];
    if (exitCode !== 0 || version === undefined) return `does not run (exit code ${exitCode})`;
    const configuration = more.find((text) => text.startsWith("configuration:")) ?? "";
    return { path, version, build: buildOf([line, configuration, String(stats.size)]) };
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
