import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unmetExpectations } from "../../../media/ffmpeg/verify.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";
import { isLong, share, turn } from "../../helpers/long.ts";
import { toneOf } from "../../helpers/media/clips.ts";
import {
  compiledWith,
  fdkaacPath,
  ffmpegPath,
  ffprobePath,
  perform,
  probe,
  scratchFolder,
} from "../../helpers/media/media-tools.ts";
import { distance, mediaInfoPath, nearestOf, onset, pictures, secondReading, sound } from "./pairs/look.ts";
import { nameOf, type Pair, pairs } from "./pairs/pairs.ts";
import { formats, unread } from "./pairs/readings.ts";
import { frames, loudAt, makeSource, tones } from "./pairs/source.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Codecs are not tried in containers: there is no ffmpeg or no ffprobe");
if (!mediaInfoPath) console.warn("Files are not read a second time: there is no mediainfo");

const hasHeAac = fdkaacPath !== undefined;
if (hasTools && !hasHeAac) console.warn("HE-AAC is not tried: there is no fdkaac");
const possible = pairs.filter(({ codec }) => hasHeAac || codec !== "heaac_v1");

const cell = (name: string, codec: string) => `${name} ${codec}`;
const usual = ["mp4 h264", "mp4 aac", "mov prores", "mpegts mpeg2"];
/** The usual ones; in `.ci/run` a fifth of all as well. */
const chosen = share(possible, ({ container, codec }) => usual.includes(cell(nameOf(container), codec)), 5);
const made = new Map<string, boolean>();

/** How far a decoded picture may be from its source, of 255, where its codec loses something. */
const lossy = 6;

describe.skipIf(!hasTools)(`a codec in a container (MEDIAFARM_TURN=${turn})`, { timeout: 120_000 }, () => {
  const folder = scratchFolder();
  let source = "";
  let facts: MediaFacts | undefined;
  let shown: Uint8Array[] = [];

  beforeAll(async () => {
    source = await makeSource(folder.path);
    facts = await probe(source);
    shown = await pictures(source);
  }, 120_000);

  afterAll(async () => {
    if (isLong) console.info(matrix());
    await folder[Symbol.asyncDispose]();
  });

  test.each(chosen.map((pair) => [cell(nameOf(pair.container), pair.codec), pair] as const))(
    "%s is read by two readers and plays like its source",
    async (name, pair) => {
      made.set(name, false);
      await using out = scratchFolder();
      const payload = { location: { path: out.path }, targets: [pair.target] };
      if (!facts) throw new Error("the source was not made");
      const work = compiledWith(facts, "transcode", payload, source);
      const [path = ""] = await perform(work, source, out.path);
      const expected = work.outputs.t0?.expect;
      if (expected) expect(unmetExpectations(expected, await probe(path))).toEqual([]);
      if (mediaInfoPath) await readAgain(path, name, pair);
      await (pair.kind === "video" ? looksAlike(path, pair) : soundsAlike(path, pair));
      made.set(name, true);
    },
  );

  const looksAlike = async (path: string, { container, codec }: Pair) => {
    const seen = await pictures(path, container.muxer === "mxf_d10" ? 32 : 0);
    expect(seen).toHaveLength(container.isImages ? 1 : frames);
    const [first, last] = [seen[0], seen.at(-1)];
    if (!first || !last) throw new Error("no pictures");
    expect([nearestOf(first, shown), nearestOf(last, shown)]).toEqual([0, container.isImages ? 0 : frames - 1]);
    expect(distance(first, shown[0] ?? first)).toBeLessThan(codec === "raw" || codec === "png" ? 2.5 : lossy);
  };

  const soundsAlike = async (path: string, { container, codec }: Pair) => {
    const input = container.isBare ? ["-f", container.muxer, "-ar", "48000", "-ac", "2"] : [];
    const channels = await sound(path, input);
    // Files of frames cannot say how many samples their encoder put before the first one.
    const tellsDelay = /^(mov|mp4|3gp)$/.test(container.muxer);
    const isExact = container.muxer === "ismv" && codec === "aac";
    const delay = isExact ? 0.004 : codec === "heaac_v1" && !tellsDelay ? 0.12 : container.isTimeless ? 0.06 : 0.03;
    for (const [index, channel] of channels.entries()) {
      const loud = channel.slice(0.6 * 48_000, 0.9 * 48_000);
      expect(Math.abs(toneOf(loud) - (tones[index] ?? 0))).toBeLessThanOrEqual(20);
      expect(Math.abs(onset(channel) - loudAt)).toBeLessThan(delay);
      expect(Math.abs(channel.length / 48_000 - 1)).toBeLessThan(Math.max(0.1, delay));
    }
  };
});

const readAgain = async (path: string, name: string, { codec, kind, container }: Pair) => {
  if (unread.some((pattern) => pattern.test(name))) return;
  const track = await secondReading(path, kind === "audio" ? "Audio" : container.isImages ? "Image" : "Video");
  expect(track?.Format).toBe(formats[name] ?? formats[codec] ?? "PCM");
};

/** One row a container: the codecs that it was shown to hold, and those that failed. */
const matrix = (): string => {
  const rows = [...new Set(pairs.map(({ container }) => nameOf(container)))].map((container) => {
    const own = [...made].filter(([name]) => name.startsWith(`${container} `));
    const held = own.filter(([, isGood]) => isGood).map(([name]) => name.split(" ")[1]);
    const failed = own.filter(([, isGood]) => !isGood).map(([name]) => name.split(" ")[1]);
    return `${container}: ${held.join(" ")}${failed.length > 0 ? ` | FAILED ${failed.join(" ")}` : ""}`;
  });
  const good = [...made.values()].filter(Boolean).length;
  return [`${good} of ${possible.length} pairs of container and codec`, ...rows].join("\n");
};
