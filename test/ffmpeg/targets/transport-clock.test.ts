import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { share } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";
import { readTransport } from "./codecs/transport.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Clocks of transport streams are not measured: there is no ffmpeg or no ffprobe");

const folder = scratchFolder();
const node = mediaNode(folder.path);
const at = (...names: string[]) => join(folder.path, ...names);
afterAll(() => folder[Symbol.asyncDispose]());

const h264 = { codec: "h264", preset: "ultrafast", crf: 30 };
const mpeg2 = { codec: "mpeg2", bitrate_kb: 3000 };

/** Targets whose muxer alone would keep no interval, and those that promise one. */
const cases: Readonly<Record<string, { source: string; target: object }>> = {
  "sound alone": { source: "film.mkv", target: { audio: [{ codec: "aac", bitrate_kb: 64 }] } },
  "sound alone of few samples": { source: "film.mkv", target: { audio: [{ codec: "aac", sample_rate: 16_000 }] } },
  "sound alone for DVB": { source: "film.mkv", target: { compliance: "dvb", audio: [{ codec: "mp2" }] } },
  "pictures that come when they like": { source: "seldom.mp4", target: { video: h264 } },
  "such pictures with sound": { source: "seldom.mp4", target: { video: h264, audio: [{ codec: "aac" }] } },
  "two pictures a second": { source: "film.mkv", target: { video: { ...h264, frame_rate: 2 } } },
  "pictures for DVB": { source: "film.mkv", target: { compliance: "dvb", video: h264, audio: [{ codec: "eac3" }] } },
  "thirty pictures a second for cable": {
    source: "film.mkv",
    target: {
      ...{ container: { thirdparty_mux_profile: "CABLELABS" }, audio: [{ codec: "aac" }] },
      video: { ...h264, frame_rate: 30 },
    },
  },
  "a constant rate for DVB": {
    source: "film.mkv",
    target: { compliance: "dvb", container: { muxrate_kb: 6000 }, video: mpeg2, audio: [{ codec: "ac3" }] },
  },
  "a constant rate": {
    source: "film.mkv",
    target: { container: { muxrate_kb: 6000, pcr_interval_ms: 40 }, video: mpeg2, audio: [{ codec: "mp2" }] },
  },
};
/** The same where the stream is several files, or one whose packets have times of arrival. */
const forms: Readonly<Record<string, object>> = {
  "o.m2ts": { container: { kind: "mpegts" } },
  "o.m3u8": { container: { kind: "hls", segment_duration_sec: 2 } },
  "o_%03d.ts": { container: { kind: "segmented_ts", segment_duration_sec: 2 } },
};
const streams: Readonly<Record<string, object>> = {
  "sound alone": { audio: [{ codec: "aac", bitrate_kb: 64 }] },
  "two pictures a second": { video: { ...h264, frame_rate: 2 }, audio: [{ codec: "aac" }] },
  "pictures and sound": { video: h264, audio: [{ codec: "aac" }] },
};
const formed = Object.keys(forms).flatMap((name) => Object.keys(streams).map((stream) => [stream, name] as const));
const tellsForm = ([stream, name]: readonly [string, string]) => stream === "sound alone" || name === "o.m2ts";

const usual = ["sound alone", "pictures that come when they like", "a constant rate for DVB"];
const tried = share(Object.keys(cases), (name) => usual.includes(name), 3);

describe.skipIf(!hasTools)("a transport stream", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    const clips = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=6", "-f", "lavfi", "-i", "sine=r=48000:d=6"];
    await make(at("film.mkv"), ...clips, ..."-c:v ffv1 -c:a pcm_s16le".split(" "));
    const some = ["-vf", "select='lt(t,1)+gt(t,4)+not(mod(n,20))'", "-fps_mode", "vfr"];
    await make(at("seldom.mp4"), ...clips, ...some, ..."-c:v libx264 -preset ultrafast -c:a aac".split(" "));
  });

  test.each(tried)("of %s has its clock every 40 ms and its tables every 100 ms, and plays", async (name) => {
    const { source, target } = cases[name] ?? { source: "", target: {} };
    const { container = {}, ...streams } = target as { container?: object };
    const whole = { file_pattern: "o.ts", container: { kind: "mpegts", ...container }, ...streams };
    const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${at(source)}` } });
    const place = at(name.replaceAll(" ", "_"));
    const { paths } = await node.made("transcode", { location: { path: place }, targets: [whole] }, assets);
    const [path = ""] = paths;
    const { pcrGap, tableGap, types } = readTransport(path);
    expect(pcrGap).toBeLessThanOrEqual(40);
    expect(tableGap).toBeLessThanOrEqual(100);
    const words = ["-v", "warning", "-i", path, "-f", "null", "-"];
    expect(execFileSync(ffmpegPath ?? "", words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })).toBe("");
    if (!("compliance" in target)) return;
    // ATSC has types of its own for these: 0x81 and 0x87 (A/53); DVB has descriptors (EN 300 468).
    const [dolby] = types.filter(({ descriptors }) => descriptors.some((tag) => tag === 0x6a || tag === 0x7a));
    expect(types.some(({ type }) => type === 0x81 || type === 0x87)).toBe(false);
    if (/ac3/.test(JSON.stringify(target))) expect(dolby?.type).toBe(6);
  });

  test.each(share(formed, tellsForm, 2))("of %s keeps these in %s, from file to file", async (stream, file_pattern) => {
    const target = { file_pattern, ...forms[file_pattern], ...streams[stream] };
    const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${at("film.mkv")}` } });
    const place = at(`${stream}_${file_pattern}`.replaceAll(/[ %]/g, "_"));
    const { paths } = await node.made("transcode", { location: { path: place }, targets: [target] }, assets);
    const isTimed = file_pattern.endsWith("m2ts");
    const files = isTimed ? paths : readdirSync(place, { recursive: true }).map((name) => join(place, String(name)));
    const parts = files.filter((each) => /\.(m2)?ts$/.test(each)).toSorted();
    const whole = at("whole.ts");
    writeFileSync(whole, Buffer.concat(parts.map((each) => withoutArrivals(readFileSync(each), isTimed))));
    expect(parts.length > 2).toBe(!isTimed);
    const { pcrGap, tableGap } = readTransport(whole);
    expect(pcrGap).toBeLessThanOrEqual(40.1);
    // Where pictures come often enough for the clock, tables stay as the muxer writes them: at the beginning of each
    // segment in HLS, as RFC 8216 asks, and with the first picture after 100 ms elsewhere.
    const alone = file_pattern === "o.m3u8" ? 2000 : 140;
    expect(tableGap).toBeLessThanOrEqual(stream === "pictures and sound" && !isTimed ? alone : 100);
    const words = ["-v", "warning", "-i", isTimed ? (paths[0] ?? "") : whole, "-f", "null", "-"];
    expect(execFileSync(ffmpegPath ?? "", words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })).toBe("");
    if (isTimed) expect(lateness(readFileSync(paths[0] ?? ""))).toBeLessThanOrEqual(40);
  });
});

const timedBytes = 192;

const withoutArrivals = (bytes: Buffer, isTimed: boolean): Buffer =>
  isTimed ? Buffer.concat(timed(bytes).map((each) => each.subarray(4))) : bytes;

const timed = (bytes: Buffer): Buffer[] =>
  Array.from({ length: bytes.length / timedBytes }, (_, at) => bytes.subarray(at * timedBytes, (at + 1) * timedBytes));

/** How far a packet's time of arrival is from the clock that it carries, in milliseconds at most. */
const lateness = (bytes: Buffer): number =>
  Math.max(
    ...timed(bytes).flatMap((each) => {
      const hasClock = ((each[7] ?? 0) & 0x20) !== 0 && (each[8] ?? 0) >= 7 && ((each[9] ?? 0) & 0x10) !== 0;
      if (!hasClock) return [];
      const clock = (each.readUInt32BE(10) * 2 + ((each[14] ?? 0) >> 7)) * 300;
      return [Math.abs((clock % 2 ** 30) - (each.readUInt32BE(0) % 2 ** 30)) / 27_000];
    }),
  );
