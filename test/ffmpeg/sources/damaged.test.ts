import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ffmpegHead, safeInput } from "../../../media/ffmpeg/args.ts";
import { aFarm, anAssignment, type Farm } from "../../helpers/agent/agent-fixture.ts";
import { first } from "../../helpers/long.ts";
import { fastH264, ffmpegPath, ffprobePath, make } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

let farm: Farm;
beforeAll(async () => {
  farm = await aFarm();
  await farm.start({
    config: { ...farm.config, ...(ffmpegPath && { ffmpegPath }), ...(ffprobePath && { ffprobePath }) },
  });
  await farm.coordinator.receive("hello");
});
afterAll(() => farm.end());

const film = ["-f", "lavfi", "-i", "testsrc2=size=128x72:rate=25:duration=2", "-f", "lavfi", "-i", "sine=duration=2"];
const filmAt = (path: string, ...more: string[]) => make(path, ...film, ...fastH264(), "-c:a", "aac", ...more);
const changed = (path: string, change: (bytes: Buffer) => void): void => {
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
};
const cut = (path: string, share: number): void => truncateSync(path, Math.floor(readFileSync(path).length * share));
const places = (path: string): { readonly index: number; readonly media: number } => {
  const bytes = readFileSync(path);
  return { index: bytes.indexOf("moov") - 4, media: bytes.indexOf("mdat") - 4 };
};
const key = ["-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb"];

type Broken = {
  readonly what: string;
  readonly name?: string;
  readonly make: (path: string) => unknown;
  readonly says: RegExp;
};

const broken: readonly Broken[] = [
  { what: "an empty file", make: (path) => writeFileSync(path, ""), says: /^is empty: copy or export it again$/ },
  {
    what: "a file of zeros",
    make: (path) => writeFileSync(path, Buffer.alloc(300_000)),
    says: /^holds nothing but zeros: its bytes were never written, or its disk lost them; copy or export it again$/,
  },
  {
    what: "a film whose beginning is zeros",
    make: async (path) => changed(await filmAt(path), (bytes) => bytes.fill(0, 0, 20_000)),
    says: /^begins with zeros: its beginning was never written/,
  },
  {
    what: "an unknown format",
    make: (path) =>
      writeFileSync(path, Buffer.from(Array.from({ length: 50_000 }, (_, at) => (at * at * 31 + 7) % 251))),
    says: /^is of no media format that is known here: if it plays elsewhere, convert it/,
  },
  {
    what: "an archive with a film's name",
    make: (path) => writeFileSync(path, Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(5000, "\x01zip\0")])),
    says: /^is no media but a ZIP archive or an office document: name the media in it, once unpacked, as the source$/,
  },
  {
    what: "a text with a film's name",
    make: (path) => writeFileSync(path, "Notes of the day.\n".repeat(50)),
    says: /^is a text file, not media: name the media itself as the source$/,
  },
  {
    what: "a picture with a film's name",
    make: (path) =>
      make(path, "-f", "lavfi", "-i", "testsrc2=size=64x64", "-frames:v", "1", "-c:v", "png", "-f", "image2"),
    says: /^is a PNG picture with the name of a film: name the film, or call the picture by its kind$/,
  },
  {
    what: "a film without its index",
    make: async (path) => cut(await filmAt(path), 0.5),
    says: /^is cut off before its index, or still being written: [\d,]+ of [\d,]+ bytes are there; copy or export it again/,
  },
  {
    what: "a film that is cut off within its index",
    make: async (path) => truncateSync(await filmAt(path, "-movflags", "+faststart"), places(path).index + 500),
    says: /^is cut off within its index: [\d,]+ of [\d,]+ bytes are there; copy or export it again$/,
  },
  {
    what: "a film that is cut off behind its index",
    make: async (path) => cut(await filmAt(path, "-movflags", "+faststart"), 0.6),
    says: /^is cut off: [\d,]+ of [\d,]+ bytes are there; copy or export it again$/,
  },
  {
    what: "a recording that was not ended",
    make: async (path) => truncateSync(await filmAt(path), places(path).index),
    says: /^has no index: its recording was not ended; end it, or repair the file with the recorder's own program$/,
  },
  {
    what: "an encrypted film",
    make: (path) => filmAt(path, ...key, "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8"),
    says: /^is encrypted, and its key is not known here: name a source without encryption \(DRM\)$/,
  },
  {
    what: "a Matroska file that is cut off",
    name: "in.mkv",
    make: async (path) => cut(await filmAt(path), 0.5),
    says: /^is cut off: [\d,]+ of [\d,]+ bytes are there; copy or export it again$/,
  },
  {
    what: "a sound that is cut off",
    name: "in.wav",
    make: async (path) => cut(await make(path, "-f", "lavfi", "-i", "sine=duration=2"), 0.5),
    says: /^is cut off: [\d,]+ of [\d,]+ bytes are there; copy or export it again$/,
  },
];

/** Reads facts, then decodes everything: the first failure, without the name of the file. */
const failureOf = async (path: string, counter: number): Promise<string> => {
  const assets = { in: { uri: `file://${path}` } };
  const argv = [...ffmpegHead, ...safeInput(path), "-i", { asset: "in" }, "-f", "nut", { out: "main" }];
  const assignment = anAssignment({
    root: farm.root,
    counter,
    output: { name: `out-${counter}`, expect: { duration: { seconds: 2, tolerance: 0.1 } } },
    work: {
      assets,
      steps: [
        { do: "probe", id: "facts", asset: "in" },
        { do: "ffmpeg", id: "decode", argv },
      ],
    },
  });
  farm.coordinator.assign(assignment);
  const { outcome } = await farm.coordinator.reportOf(assignment.fence);
  if (outcome.outcome !== "failed") return outcome.outcome;
  expect(outcome.failure.cause).toBe("source");
  expect(outcome.failure.message.startsWith(`${path} `)).toBe(true);
  return outcome.failure.message.slice(path.length + 1);
};

describe.skipIf(!hasTools)("what is wrong with a file is said in a sentence of its own", { timeout: 60_000 }, () => {
  test.each(first(broken.map((each, index) => ({ ...each, index }))))(
    "$what",
    async ({ name = "in.mp4", make: lay, says, index }) => {
      const path = farm.path(`${index}-${name}`);
      await lay(path);
      expect(await failureOf(path, index + 10)).toMatch(says);
    },
  );

  test("a file that is whole is not blamed for another failure", async () => {
    const path = await filmAt(farm.path("whole.mp4"), "-t", "1");
    farm.coordinator.assign(
      anAssignment({
        root: farm.root,
        counter: 5,
        work: { assets: { in: { uri: `file://${path}` } } },
        argv: [...ffmpegHead, ...safeInput(path), "-i", path, "-map", "0:s", "-f", "nut"],
      }),
    );
    const { outcome } = await farm.coordinator.reportOf({ epoch: 1, counter: 5 });
    expect(outcome).toMatchObject({ failure: { message: "The source lacks a stream that the target needs" } });
  });
});
