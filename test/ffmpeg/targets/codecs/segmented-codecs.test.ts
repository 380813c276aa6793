import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Asset } from "../../../../shared/model/asset.ts";
import { share, turn } from "../../../helpers/long.ts";
import { mediaNode } from "../../../helpers/media/media-job.ts";
import { fdkaacPath, ffmpegPath, ffprobePath, scratchFolder } from "../../../helpers/media/media-tools.ts";
import { manyFiles, nameOf, type Pair } from "../pairs/pairs.ts";
import { frames, makeSource } from "../pairs/source.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Codecs are not tried in segments: there is no ffmpeg or no ffprobe");

const possible = manyFiles.filter(({ codec }) => fdkaacPath !== undefined || !codec.startsWith("heaac"));
/** The first of each container; in `.ci/run` a third of all as well. */
const isFirst = ({ container }: Pair, at: number) => possible[at - 1]?.container !== container;
const chosen = share(possible, isFirst, 3);

/** Decodes what a player opens: the manifest, or all segments one after the other. Gives the number of samples or frames. */
const played = (folder: string, kind: Pair["kind"]): number => {
  const names = readdirSync(folder).sort();
  const manifest = names.find((name) => /\.(m3u8|mpd)$/.test(name));
  const opened = manifest === undefined ? names : [manifest];
  return opened.reduce((sum, name) => sum + decoded(join(folder, name), kind), 0);
};

const decoded = (path: string, kind: Pair["kind"]): number => {
  const opening = /m3u8|mpd$/.test(path) ? ["-allowed_extensions", "ALL"] : [];
  const form = kind === "video" ? ["-map", "0:v:0", "-f", "framecrc"] : ["-map", "0:a:0", "-ar", "48000", "-ac", "1"];
  const words = ["-v", "error", "-xerror", ...opening, "-i", path, ...form];
  if (kind === "audio") return execFileSync(ffmpegPath ?? "", [...words, "-f", "s16le", "-"], big).length / 2;
  const lines = String(execFileSync(ffmpegPath ?? "", [...words, "-"], big)).split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("#")).length;
};

const big = { maxBuffer: 64 * 1024 * 1024, stdio: "pipe" } as const;

describe.skipIf(!hasTools)(`a codec in segments (MEDIAFARM_TURN=${turn})`, { timeout: 120_000 }, () => {
  const folder = scratchFolder();
  const node = mediaNode(folder.path);
  let film: readonly Asset[] = [];
  beforeAll(async () => {
    const url = await makeSource(folder.path);
    film = await node.assets({ kind: "asset_url", payload: { storage_provider: "file", url } });
  }, 120_000);
  afterAll(() => folder[Symbol.asyncDispose]());

  test.each(chosen.map((pair) => [`${nameOf(pair.container)} ${pair.codec}`, pair] as const))(
    "%s plays as long as its source",
    async (name, { kind, target }) => {
      const path = join(folder.path, name.replace(" ", "_"));
      mkdirSync(path);
      await node.made("transcode", { location: { path }, targets: [target] }, film);
      const found = played(path, kind);
      if (kind === "video") expect(found).toBe(frames);
      // Transport streams cannot say how many samples the encoder put before the first one: two frames, in HE-AAC long ones.
      else expect(Math.abs(found / 48_000 - 1)).toBeLessThan(0.15);
    },
  );
});
