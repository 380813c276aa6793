import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { channelNamesOf } from "../../../media/ffmpeg/layouts.ts";
import { share } from "../../helpers/long.ts";
import { channelTones, heardTones, layoutTrack } from "../../helpers/media/channel-tones.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, probe, scratchFolder } from "../../helpers/media/media-tools.ts";
import { chromiumPath, openBrowser } from "../../helpers/pages/browser.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Layouts are not tried: there is no ffmpeg or no ffprobe");

const layouts = [
  ...["mono", "stereo", "2.1", "3.0", "3.0(back)", "4.0", "quad", "quad(side)", "3.1", "5.0", "5.0(side)", "4.1"],
  ...["5.1", "5.1(side)", "6.0", "6.0(front)", "hexagonal", "6.1", "6.1(back)", "6.1(front)", "7.0", "7.0(front)"],
  ...["7.1", "7.1(wide)", "7.1(wide-side)", "octagonal", "hexadecagonal", "downmix"],
  ...["3.1.2", "5.1.2", "cube", "5.1.4", "7.1.2", "7.1.4", "7.2.3", "9.1.4", "22.2"],
];

const codecs: readonly (readonly [name: string, audio: object])[] = [
  ["out.mp4", { codec: "aac" }],
  ["out.webm", { codec: "opus" }],
  ["out.wav", { codec: "pcm" }],
  ["ac3.mov", { codec: "ac3", bitrate_kb: 640 }],
  ["eac3.mp4", { codec: "eac3", bitrate_kb: 1024 }],
  ["alac.mov", { codec: "alac" }],
  ["out.flac", { codec: "flac" }],
  ["flac.mp4", { codec: "flac" }],
  ["flac.ogg", { codec: "flac" }],
  ["out.ogg", { codec: "vorbis" }],
  ["out.mp3", { codec: "mp3", bitrate_kb: 320 }],
  ["mp2.ts", { codec: "mp2", bitrate_kb: 384 }],
  ["pcm.mov", { codec: "pcm" }],
  ["out.aiff", { codec: "pcm" }],
  ["s302m.ts", { codec: "s302m" }],
];

const pairs = layouts.flatMap((layout) => codecs.map(([name, audio]) => [layout, name, audio] as const));
const usual = ["2.1", "quad(side)", "5.1(side)", "6.1"];

/** Names that mean one channel in the layouts of different codecs. */
const twins: Readonly<Record<string, string>> = { SL: "BL", SR: "BR", BL: "SL", BR: "SR", DL: "FL", DR: "FR" };

type Pair = (typeof pairs)[number];
const inBrowsers = pairs.filter(([, name]) => /^out[.](mp4|webm)$/.test(name));
const isUsual = ([layout, name]: Pair) => usual.includes(layout) && /^out[.](mp4|webm)$/.test(name);
const isShown = ([layout, name]: Pair) => layout === "5.1(side)" && isUsual([layout, name, {}]);

describe.skipIf(!hasTools)("sound of every layout", { timeout: 1_200_000 }, () => {
  test("comes through every codec with its channels where they were, or the result tells where they are", async () => {
    await using folder = scratchFolder();
    for (const pair of share(pairs, isUsual, 20))
      expect.soft(await missing(folder.path, pair).catch((error) => [pair, error])).toEqual([]);
  });

  test.skipIf(!chromiumPath)("is decoded by a browser with the same tones in as many channels", async () => {
    await using folder = scratchFolder();
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto("about:blank");
      for (const [layout, name, audio] of share(inBrowsers, isShown, 20)) {
        const { path } = await made(folder.path, layout, name, audio);
        const heard = (await heardTones(path)).map(([tone]) => tone ?? 0);
        const decoded = await decodedBy(page, readFileSync(path).toString("base64"), channelTones);
        expect.soft([layout, name, decoded.toSorted(ascending)]).toEqual([layout, name, heard.toSorted(ascending)]);
      }
    } finally {
      await browser.close();
    }
  });

  test.each([
    ["6.1", 0x007d_0007, 0x70f],
    ["7.1", 0x0080_0008, 0x63f],
  ])(
    "of %s in QuickTime by a tag that versions of ffmpeg read differently keeps its names",
    async (layout, tag, mask) => {
      await using folder = scratchFolder();
      const tones = tonesOf(channelNamesOf(layout));
      const path = await layoutTrack(join(folder.path, "in.mov"), layout, tones, "-c:a", "pcm_s16le");
      const bytes = readFileSync(path);
      bytes.writeUInt32BE(tag, bytes.indexOf("chan") + 8);
      writeFileSync(path, bytes);
      const out = await transcoded(folder.path, path, { file_pattern: "out.wav", audio: [{ codec: "pcm" }] });
      expect(readFileSync(out.path).readUInt32LE(40)).toBe(mask);
      expect((await heardTones(out.path)).map(([tone]) => tone)).toEqual(tones);
      expect(out.warnings).toEqual([]);
    },
  );

  test("of FLAC in MP4, which has no mask there, is one that readers expect of its number of channels", async () => {
    await using folder = scratchFolder();
    const { path, warnings } = await made(folder.path, "3.1", "out.mp4", { codec: "flac" });
    expect((await probe(path)).audio[0]?.layout).toMatch(/^5[.]1/);
    expect(warnings.join()).toContain("the channels 3.1 become 5.1: BL, BR are silent");
  });

  test.each(["2.1", "quad"])("of %s has a number in the header of AAC, so that browsers play it", async (layout) => {
    await using folder = scratchFolder();
    const { path } = await made(folder.path, layout, "out.mp4", { codec: "aac" });
    expect(configuration(path)).toBeGreaterThan(0);
  });
});

/** The loudest tone of each channel as Chromium decodes the file; zero where a channel is silent. */
const decodedBy = (page: Page, file: string, tones: readonly number[]): Promise<number[]> =>
  page.evaluate(`(${decoding})(${JSON.stringify({ file, tones })})`);

/** Runs in the browser. */
const decoding = `async ({ file, tones }) => {
  const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
  const sound = await new OfflineAudioContext(1, 1, 48000).decodeAudioData(bytes.buffer);
  const levelOf = (samples, tone) => {
    let [sine, cosine] = [0, 0];
    for (const [at, sample] of samples.entries()) {
      sine += sample * Math.sin((2 * Math.PI * tone * at) / 48000);
      cosine += sample * Math.cos((2 * Math.PI * tone * at) / 48000);
    }
    return Math.hypot(sine, cosine) / samples.length;
  };
  return Array.from({ length: sound.numberOfChannels }, (_, channel) => {
    const samples = sound.getChannelData(channel).slice(9600, 19200);
    const levels = tones.map((tone) => levelOf(samples, tone));
    const most = Math.max(...levels);
    return most < 0.005 ? 0 : tones[levels.indexOf(most)];
  });
}`;

const ascending = (a: number, b: number): number => a - b;

/** A tone for each channel; a channel of effects has the low one. */
const tonesOf = (names: readonly string[]): number[] => {
  const high = channelTones.filter((tone) => tone !== 80).values();
  return names.map((name) => (name === "LFE" ? 80 : (high.next().value ?? 0)));
};

const made = async (folder: string, layout: string, file_pattern: string, audio: object) => {
  const tones = tonesOf(channelNamesOf(layout));
  const path = await layoutTrack(join(folder, "in.mov"), layout, tones, "-c:a", "pcm_s16le");
  return { ...(await transcoded(folder, path, { file_pattern, audio: [audio] })), tones };
};

const transcoded = async (folder: string, path: string, wanted: object) => {
  const node = mediaNode(folder);
  const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${path}` } });
  const payload = { location: { path: join(folder, "out") }, targets: [{ existing_files: "replace", ...wanted }] };
  const {
    made: [work],
    warnings,
  } = await node.all("transcode", payload, assets);
  return { path: work?.paths[0] ?? "", warnings };
};

/** Channels that are neither where they were nor told, with all that was found. */
const missing = async (folder: string, [layout, name, audio]: Pair): Promise<unknown[]> => {
  const { path, tones, warnings } = await made(folder, layout, name, audio);
  const [told, heard] = [warnings.join("; "), await heardTones(path)];
  const places = channelNamesOf((await probe(path)).audio[0]?.layout ?? "");
  const names = channelNamesOf(layout);
  const wrong = names.filter((channel, at) => {
    const isHere = heard.some(([tone, ...others], place) => {
      if (tone !== tones[at] || others.length > 0) return false;
      const called = places.length === heard.length ? places[place] : names[place];
      return names.length === 1 || called === channel || called === twins[channel];
    });
    return !isHere && !told.includes(channel);
  });
  return wrong.length > 0 ? [layout, name, wrong, places, heard, told] : [];
};

/** The channel configuration of AAC in an MP4 file: zero means that it has no number (ISO/IEC 14496-3, 1.6.2.1). */
const configuration = (path: string): number => {
  const bytes = readFileSync(path);
  const box = bytes.indexOf("esds");
  const tag = bytes.indexOf(Buffer.from([5, 0x80, 0x80, 0x80]), box);
  return (bytes.readUInt16BE(tag + 5) >> 3) & 15;
};
