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
import { ffmpegPaths, ffprobePaths, packagerPaths, type ToolName, type ToolPath } from "./tool-paths.ts";

type Tool = { readonly path: string; readonly version: string; readonly build: string };

/** ffmpeg's old ffprobe builds crash on character tables of the system; without any they use their own. */
export const ffprobeEnv = { GCONV_PATH: "/nonexistent" };

const cacheSchema = z.strictObject({ key: z.string(), tools: toolsSchema });

/** Finds ffmpeg and ffprobe and what they can do. Throws AppError naming every place tried where one is missing. */
export const findTools = async (config: AgentConfig, run: Run): Promise<Tools> => {
  const ffmpeg = await findTool({ name: "ffmpeg", given: config.ffmpegPath, paths: ffmpegPaths(config), run });
  const paths = ffprobePaths(config, ffmpeg.path);
  const ffprobe = await findTool({ name: "ffprobe", given: config.ffprobePath, paths, run });
  const [packagerPath] = packagerPaths(config);
  const stamped = [ffmpeg.path, ffprobe.path, ...(packagerPath === undefined ? [] : [packagerPath])];
  const key = (await Promise.all(stamped.map(stampOf))).join(" ");
  const cachePath = join(config.dataDir, "tools.json");
  const cached = parseJsonAs(cacheSchema, await readTextIfThere(cachePath));
  if (cached?.key === key) return cached.tools;
  const packager = packagerPath === undefined ? null : await findPackager(packagerPath, run);
  const measured = await measureAbilities(ffmpeg.path, run);
  const capabilities = ["ffmpeg", "ffprobe", ...(packager ? ["packager"] : []), ...measured];
  const tools = { ffmpeg, ffprobe, packager, capabilities };
  await writeDurably(cachePath, JSON.stringify({ key, tools }));
  return tools;
};

/** Shaka Packager where it runs; packages that need it wait for a node that has it. */
const findPackager = async (path: string, run: Run): Promise<Tool | null> => {
  const stats = await statIfThere(path);
  const { exitCode, stdout } = await run({ command: path, args: ["--version"], limitMs: 20_000 });
  const version = /version v?(\S+)/.exec(stdout)?.[1];
  if (exitCode !== 0 || version === undefined) return null;
  return { path, version, build: buildOf([version, String(stats?.size)]) };
};

type Search = {
  readonly name: ToolName;
  /** What FFMPEG_PATH or FFPROBE_PATH names: used or complained about, never passed over. */
  readonly given: string | undefined;
  readonly paths: readonly ToolPath[];
  readonly run: Run;
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
