import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { withEditLists } from "../../../agent/formats/edit-lists.ts";
import { createRun } from "../../../agent/process/run.ts";
import { createMediaTools } from "../../../agent/tools/media-tools.ts";
import { isProvenProbe } from "../../../agent/tools/tool-paths.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import { toNumber } from "../../../shared/basics/rational.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";
import { readForeign } from "../../helpers/agent/read-foreign.ts";
import { inCi, share } from "../../helpers/long.ts";
import { scratchFolder } from "../../helpers/media/media-tools.ts";
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
    const media = createMediaTools(tools, run, readForeign);
    const facts = await media.probe({ path, peek: true, size: statSync(path).size, name: path, signal });
    return await withEditLists(facts, path);
  } catch (error) {
    return messageOf(error);
  }
};

/** The clips of which some builds told different things, and some of every kind; `npm run long` compares all. */
const telling = new Set([
  "two edits of one film",
  "priming in Matroska",
  "a phone's varying rate",
  "a Matroska file that calls itself MP4",
  "a clock of years",
  "chapters",
  "top field first",
  "priming in MP4",
  "HDR10",
  "timecode in the groups of MPEG-2",
]);
const compared = share(clips, ({ name }) => (inCi ? telling.has(name) : name === "two edits of one film"), 4);

/** Older builds do not tell the priming of Matroska's sound, and newer ones count a container's length exactly. */
const comparable = (facts: MediaFacts | string) => {
  if (typeof facts === "string") return facts;
  const { duration: _rounded, bitRate: _follows, audio, ...rest } = facts;
  const isMatroska = facts.format.startsWith("matroska");
  const withoutPriming = audio.map(({ priming, ...each }) => (isMatroska ? each : { ...each, priming }));
  return { ...rest, audio: withoutPriming };
};

const secondsOf = (facts: MediaFacts | string): number =>
  typeof facts === "string" || !facts.duration ? 0 : toNumber(facts.duration);

describe.skipIf(!hasBoth)("the packaged ffprobe and the system's", { timeout: 60_000 }, () => {
  test.each(compared)("tell the same of $name", async ({ file, make }) => {
    await using folder = scratchFolder();
    const path = join(folder.path, file);
    await make(path);
    const [one, other] = [await readBy(packaged, path), await readBy(system, path)];
    expect(comparable(one)).toEqual(comparable(other));
    expect(Math.abs(secondsOf(one) - secondsOf(other))).toBeLessThanOrEqual(0.001);
  });

  test("may stand in for one another", async () => {
    const versions = [packaged, system].map(
      (path) => /version (\S+)/.exec(String(execFileSync(path, ["-version"])))?.[1],
    );
    expect(versions.map((version = "") => isProvenProbe(version))).toEqual([true, true]);
  });
});
