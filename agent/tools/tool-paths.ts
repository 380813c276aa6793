import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentConfig } from "../config.ts";
import { packageFolder } from "./package-folder.ts";

/** A path to try for a tool, and how messages name it. */
export type ToolPath = { readonly from: string; readonly path: string };

export type ToolName = "ffmpeg" | "ffprobe";

const executable = (name: ToolName): string => (process.platform === "win32" ? `${name}.exe` : name);

/** Best first: the package's builds can do more than those of systems. */
export const ffmpegPaths = (config: AgentConfig): ToolPath[] => [
  ...packaged(config, "ffmpeg"),
  ...inPackage("ffmpeg-static", "ffmpeg"),
  ...inPackage(`@ffmpeg-binary/${process.platform}-${process.arch}`, "ffmpeg"),
  ...onPath(config, "ffmpeg"),
];

/** An ffprobe beside the ffmpeg was built with it. Of the others, `tools.ts` may choose the one that starts fastest. */
export const ffprobePaths = (config: AgentConfig, ffmpegPath: string | undefined): ToolPath[] => [
  ...packaged(config, "ffprobe"),
  ...(ffmpegPath === undefined
    ? []
    : [{ from: "beside ffmpeg", path: join(dirname(ffmpegPath), executable("ffprobe")) }]),
  ...onPath(config, "ffprobe"),
  ...inPackage(`@ffprobe-installer/${process.platform}-${process.arch}`, "ffprobe"),
];

/**
 * Versions of ffprobe that give the same facts of the torture clips (test/ffmpeg/sources/probe-builds.test.ts): Debian's, and the
 * installer's, which is linked statically and starts in a tenth of the time.
 */
const alike: readonly RegExp[] = [/^5\.1\.\d+-/, /^N-66595-gc2b38619c0-static$/];

/** Whether this build may stand in for another one of which this holds too. */
export const isProvenProbe = (version: string): boolean => alike.some((pattern) => pattern.test(version));

const packaged = ({ resourcesDir }: AgentConfig, name: ToolName): ToolPath[] =>
  resourcesDir === undefined ? [] : [{ from: "the app", path: join(resourcesDir, executable(name)) }];

const onPath = ({ searchPath }: AgentConfig, name: ToolName): ToolPath[] =>
  searchPath
    .map((folder) => ({ from: "PATH", path: join(folder, executable(name)) }))
    .filter(({ path }) => existsSync(path));

const inPackage = (name: string, tool: ToolName): ToolPath[] => {
  const folder = packageFolder(name);
  return [{ from: `package ${name}`, path: folder === undefined ? "" : join(folder, executable(tool)) }];
};

/** Shaka Packager's builds, as its package names them. */
const packagerBuilds: Readonly<Record<string, string>> = {
  "linux-x64": "packager-linux-x64",
  "linux-arm64": "packager-linux-arm64",
  "darwin-x64": "packager-osx-x64",
  "darwin-arm64": "packager-osx-arm64",
  "win32-x64": "packager-win-x64.exe",
};

/** Where Shaka Packager may be: beside the app's other tools, in its package, on the path. */
export const packagerPaths = ({ resourcesDir, searchPath }: AgentConfig): string[] => {
  const build = packagerBuilds[`${process.platform}-${process.arch}`];
  const folder = packageFolder("shaka-packager");
  const name = process.platform === "win32" ? "packager.exe" : "packager";
  return [
    ...(resourcesDir === undefined ? [] : [join(resourcesDir, name)]),
    ...(build === undefined || folder === undefined ? [] : [join(folder, "bin", build)]),
    ...searchPath.map((folder) => join(folder, name)),
  ].filter((path) => existsSync(path));
};

/** fdkaac comes only from the system: its library's licence keeps it out of packages. */
export const fdkaacPaths = ({ searchPath }: AgentConfig): string[] =>
  searchPath
    .map((folder) => join(folder, process.platform === "win32" ? "fdkaac.exe" : "fdkaac"))
    .filter((path) => existsSync(path));
