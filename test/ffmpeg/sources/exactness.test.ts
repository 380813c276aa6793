import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { MediaFacts } from "../../../shared/model/asset.ts";
import { inCi, share } from "../../helpers/long.ts";
import {
  compiledListing,
  ffmpegPath,
  ffprobePath,
  perform,
  probe,
  scratchFolder,
} from "../../helpers/media/media-tools.ts";
import { type Frame, framesOf, lagOf, noiseOf, sampleRate, samplesOf, writeWav } from "./exactness/measure.ts";
import { allSources, type ExactSource, framesIn, makeSource, secondsLong } from "./exactness/sources.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Exactness is not tested: there is no ffmpeg or no ffprobe");

/** Kinds of time stamps that have little in common; in `.ci/run` the telling ones and a quarter of the others as well. */
const most = ["h264 open mp4 25", "h264 closed ts vfr", "mpeg2 mxf 50i"];
/** Every codec, container and rate at least once, and the pairs that have gone wrong. */
const telling = [
  "h264 closed mp4 24000/1001",
  "h264 open mp4 25",
  "h264 open mkv 60000/1001",
  "h264 open ts 30000/1001",
  "h264 closed ts vfr",
  "h264 closed mkv vfr",
  "h265 mp4 vfr",
  "h265 ts 24000/1001",
  "mpeg2 mxf 50i",
  "mpeg2 ts 25",
  "prores mov 30000/1001",
  "prores mxf 24000/1001",
  "h264-intra mxf 60000/1001",
];
const nameOf = ({ codec, container, rate }: ExactSource) => `${codec} ${container} ${rate}`;
const wanted = inCi ? telling : most;
const chosen = share(allSources, (source) => wanted.includes(nameOf(source)), 4);

const noise = noiseOf(secondsLong);

/** First frame and the one behind the last: at keyframes (12, 24, …), beside them, at the start and at the end. */
const cuts = (count: number): (readonly [number, number])[] => [
  [0, 7],
  [12, 36],
  [13, 35],
  [count - 50, count - 30],
  [count - 7, count],
];

/** Seconds at which a cut at this frame begins. */
const beginning = ({ rate }: ExactSource, frame: number, time: number): number =>
  rate === "vfr" ? time : (frame * framesIn(rate)[1]) / framesIn(rate)[0];

type Made = { readonly frames: readonly Frame[]; readonly samples: Int16Array };

/** The source between two frames, made by the transcode element into a lossless file. */
const cutOut = async (path: string, folder: string, facts: MediaFacts, trim: object): Promise<Made> => {
  const target = { file_pattern: "out.nut", video: { codec: "raw" }, audio: [{ codec: "pcm", sample_size: 16 }], trim };
  const work = await compiledListing(facts, "transcode", { location: { path: folder }, targets: [target] }, path);
  const [out = ""] = await perform(work, path, folder);
  return { frames: await framesOf(out), samples: await samplesOf(out) };
};

const hashesOf = (frames: readonly Frame[]) => frames.map(({ hash }) => hash);

describe.skipIf(!hasTools)("a cut to lossless frames and samples", { timeout: 300_000 }, () => {
  test("is tried with every source that is named", () => {
    expect(wanted.filter((name) => !chosen.some((source) => nameOf(source) === name))).toEqual([]);
  });

  test.each(chosen.map((source) => [nameOf(source), source] as const))("%s", async (_name, source) => {
    await using folder = scratchFolder();
    const path = await makeSource(source, folder.path, writeWav(join(folder.path, "noise.wav"), noise));
    const facts = await probe(path);
    const all = await framesOf(path);
    expect(new Set(hashesOf(all)).size).toBe(all.length);
    const zero = all[0]?.time ?? 0;
    for (const [first, end] of cuts(all.length)) {
      const [from = 0, to = 0] = [first, end].map((index) => (all[index]?.time ?? secondsLong + zero) - zero);
      const made = await cutOut(path, folder.path, facts, { inpoint_frame: first, outpoint_frame: end });
      const what = `[${first}, ${end})`;
      expect([what, hashesOf(made.frames)]).toEqual([what, hashesOf(all.slice(first, end))]);
      if (source.rate === "vfr") {
        const bySeconds = { inpoint_sec: from.toFixed(6), outpoint_sec: to.toFixed(6) };
        const timed = await cutOut(path, folder.path, facts, bySeconds);
        expect([what, hashesOf(timed.frames)]).toEqual([what, hashesOf(made.frames)]);
      }
      const begin = beginning(source, first, from) * sampleRate;
      const off = lagOf(made.samples, noise, Math.round(begin)) - Math.round(begin) + begin;
      // Where a frame begins between two samples, either of them is right.
      expect([what, off, Math.abs(off) < (Number.isInteger(begin) ? 0.01 : 1)]).toEqual([what, off, true]);
    }
  });
});
