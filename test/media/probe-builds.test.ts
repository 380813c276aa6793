import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createMediaTools } from "../../agent/media-tools.ts";
import { createRun } from "../../agent/process.ts";
import type { MediaFacts } from "../../shared/asset.ts";
import { messageOf } from "../../shared/errors.ts";
import { systemClock } from "../../shared/system-clock.ts";
import { scratchFolder } from "../helpers/media-tools.ts";
import { clips } from "./torture/clips.ts";

const system = "/usr/bin/ffprobe";
const packaged = ((): string => {
  try {
    const manifest = createRequire(import.meta.url).resolve("@ffprobe-installer/linux-x64/package.json");
    return join(dirname(manifest), "ffprobe");
  } catch {
    return ""; // an optional dependency
  }
})();
const hasBoth =
  existsSync(packaged) &&
  existsSync(system) &&
  execFileSync(system, ["-version"], { encoding: "utf8" }).startsWith("ffprobe version 5.1.");
if (!hasBoth)
  console.warn("Builds of ffprobe are not compared: ffprobe 5.1 of the system or the packaged one is absent");

const run = createRun({ clock: systemClock, env: { PATH: process.env.PATH ?? "" } });

const readBy = async (ffprobe: string, path: string): Promise<MediaFacts | string> => {
  const tools = { ffmpeg: null, ffprobe: { path: ffprobe, version: "test", build: "test" }, capabilities: [] };
  const { signal } = new AbortController();
  try {
    const media = createMediaTools(tools, run);
    return await media.probe({ path, peek: true, size: statSync(path).size, name: path, signal });
  } catch (error) {
    return messageOf(error);
  }
};

/** Why the packaged ffprobe, which starts much faster, is not preferred to the system's: it reads these differently. */
const readDifferently = new Set(["two edits of one film", "priming in Matroska", "a phone's varying rate"]);

/** These hold for both, in containers and with features of every kind. */
const readAlike = new Set(["top field first", "priming in MP4", "HDR10", "timecode in the groups of MPEG-2"]);
const compared = clips.filter(({ name }) => readDifferently.has(name) || readAlike.has(name));

describe.skipIf(!hasBoth)("the packaged ffprobe and the system's", { timeout: 60_000 }, () => {
  test.each(compared.map((clip) => [readDifferently.has(clip.name) ? "differ" : "agree", clip.name, clip] as const))(
    "%s on %s",
    async (verdict, _name, { file, make }) => {
      await using folder = scratchFolder();
      const path = join(folder.path, file);
      await make(path);
      const [one, other] = [await readBy(packaged, path), await readBy(system, path)];
      if (verdict === "agree") expect(one).toEqual(other);
      else expect(one).not.toEqual(other);
    },
  );
});
