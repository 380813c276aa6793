import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { probeWithFirstPacketsArgv } from "../../../media/ffmpeg/first-packets.ts";
import { openingArgs } from "../../../media/ffmpeg/opening-args.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { isLong, times } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpeg, ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";
import { randomFrom } from "../../helpers/random/random.ts";
import { canTrace, openTracer } from "./strace.ts";

/** Files that name other files, under innocent names: none of them may make a tool open anything outside of the root. */
const missing = [
  ...(ffmpegPath === undefined || ffprobePath === undefined ? ["there is no ffmpeg or no ffprobe"] : []),
  ...(canTrace ? [] : ["strace is not there or may not watch"]),
];
const title = `hostile inputs open nothing${missing.length > 0 ? ` (skipped: ${missing.join(", ")})` : ""}`;
if (missing.length > 0) console.warn(title);

const seed = Number(process.env.MEDIAFARM_SEED ?? 20_261_121);
const run = promisify(execFile);

let scratch: ReturnType<typeof scratchFolder>;
let root: string;
let secret: string;
let tracer: ReturnType<typeof openTracer>;
let node: ReturnType<typeof mediaNode>;

const names = [
  "film.mp4",
  "film.mov",
  "film.ts",
  "film.mkv",
  "film.mxf",
  "film.wav",
  "film.png",
  "film",
  "film_%03d.png",
];

/** What is in the file, and what it is called by the refusal. */
const hostile = (to: string): Record<string, readonly [content: string | Buffer, says: RegExp]> => ({
  "HLS playlist": [`#EXTM3U\n#EXTINF:1,\n${to}\n#EXT-X-ENDLIST\n`, /HLS playlist/],
  "HLS playlist with a byte order mark": [`\ufeff#EXTM3U\n#EXTINF:1,\n${to}\n#EXT-X-ENDLIST\n`, /HLS playlist/],
  "HLS playlist in UTF-16": [Buffer.from(`\ufeff#EXTM3U\n#EXTINF:1,\n${to}\n`, "utf16le"), /HLS playlist/],
  "HLS playlist behind an ID3 tag": [
    Buffer.concat([
      Buffer.from("ID3\x04\0\0\0\0\0\x0a"),
      Buffer.alloc(10),
      Buffer.from(`#EXTM3U\n#EXTINF:1,\n${to}\n#EXT-X-ENDLIST\n`),
    ]),
    /HLS playlist/,
  ],
  "HLS master playlist": [`#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nfile://${to}\n`, /HLS playlist/],
  "HLS playlist with a key": [
    `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="file://${to}"\n#EXTINF:1,\n${to}\n#EXT-X-ENDLIST\n`,
    /HLS playlist/,
  ],
  "DASH manifest": [
    `<?xml version="1.0"?><MPD><Period><AdaptationSet mimeType="video/mp4"><Representation><BaseURL>file://${to}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    /DASH manifest/,
  ],
  "DASH manifest behind a long comment": [
    `<?xml version="1.0"?><!--${" ".repeat(20_000)}--><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><AdaptationSet mimeType="video/mp4"><Representation><BaseURL>file://${to}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    /text file/,
  ],
  "concat list": [`ffconcat version 1.0\nfile '${to}'\n`, /concat list/],
  "concat list without a header": [`file '${to}'\n`, /concat list/],
  "concat list with comments": [`# a\n# b\nfile ${to}\n`, /concat list/],
  "concat list with options": [
    `ffconcat version 1.0\nfile 'subfile,,start,0,end,99,,:${to}'\noption safe 0\n`,
    /concat list/,
  ],
  "SDP description": [
    `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
    /SDP description/,
  ],
  "IMF composition": [
    `<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"><Id>urn:uuid:x</Id></CompositionPlaylist>`,
    /IMF document/,
  ],
  "ASX playlist": [`<asx version="3.0"><entry><ref href="file://${to}"/></entry></asx>`, /ASX playlist/],
  "SVG drawing": [
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="file://${to}"/></svg>`,
    /SVG drawing/,
  ],
  "SMIL document": [`<smil><body><video src="${to}"/></body></smil>`, /SMIL document/],
  "Smooth Streaming manifest": [
    `<SmoothStreamingMedia MajorVersion="2"><StreamIndex Url="${to}"/></SmoothStreamingMedia>`,
    /Smooth Streaming/,
  ],
  "RTSP reference": [`RTSPtext\nrtsp://127.0.0.1:1/x\n`, /RTSP reference/],
  "cue sheet": [`FILE "${to}" WAVE\n  TRACK 01 AUDIO\n`, /cue sheet|concat list/],
  "AviSynth script": [`AviSource("${to}")\n`, /text file/],
  "metadata of ffmpeg": [`;FFMETADATA1\ntitle=x\n`, /text file/],
  "address of a part": [`subfile,,start,0,end,99,,:${to}\n`, /text file/],
  nothing: ["", /is empty/],
});

const probed = (path: string) => node.assets({ kind: "asset_url", payload: { url: path } });

/** What the agent would not let through at all: the tools themselves, with the words that we give them. */
const opened = async (path: string): Promise<void> => {
  const input = [...openingArgs({ name: path }), "-i", path, "-t", "0.1", "-f", "null", "-"];
  await run(tracer.wrap(ffprobePath ?? ""), probeWithFirstPacketsArgv(path), { timeout: 30_000 }).catch(() => {});
  await run(tracer.wrap(ffmpegPath ?? ""), ["-nostdin", "-v", "error", ...input], { timeout: 30_000 }).catch(() => {});
};

describe.skipIf(missing.length > 0)(title, { timeout: 600_000 }, () => {
  beforeAll(async () => {
    scratch = scratchFolder();
    root = join(scratch.path, "root");
    secret = join(scratch.path, "outside", "secret.ts");
    mkdirSync(root);
    mkdirSync(join(scratch.path, "outside"));
    mkdirSync(join(scratch.path, "tools"));
    await make(secret, "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=1", "-c:v", "mpeg2video");
    tracer = openTracer(join(scratch.path, "tools"));
    node = mediaNode(root, tracer.wrap);
  });
  afterAll(() => scratch[Symbol.asyncDispose]());

  test("the watch sees what an unguarded tool opens", async () => {
    const list = join(root, "innocent.mp4");
    writeFileSync(list, `#EXTM3U\n#EXTINF:1,\n${secret}\n#EXT-X-ENDLIST\n`);
    const argv = ["-v", "error", "-f", "hls", "-allowed_extensions", "ALL", "-extension_picky", "0", "-i", list];
    await run(tracer.wrap(ffprobePath ?? ""), argv).catch(() => {});
    const loose = argv.filter((word) => word !== "-extension_picky" && word !== "0");
    await run(tracer.wrap(ffprobePath ?? ""), loose).catch(() => {});
    expect(tracer.outside(root).places).toEqual([secret]);
  });

  test("every kind of file that names others is called what it is, under every name", async () => {
    for (const [kind, [content, says]] of Object.entries(hostile(secret))) {
      const usual = [kind.length % 2 === 0 ? "film.mp4" : "film.png"];
      for (const name of isLong ? names : usual) {
        const path = join(root, name);
        writeFileSync(path, content);
        await expect(probed(path), `${kind} as ${name}`).rejects.toThrow(says);
        await opened(path);
        rmSync(path);
      }
    }
    const { places, runs } = tracer.outside(root);
    expect(places).toEqual([]);
    expect(runs).toBeGreaterThan(40);
  });

  test("links, folders and names with a meaning lead nowhere", async () => {
    symlinkSync(secret, join(root, "link.ts"));
    symlinkSync(join(root, "link.ts"), join(root, "chain.ts"));
    symlinkSync(join(scratch.path, "outside"), join(root, "folder"));
    for (const path of ["link.ts", "chain.ts", "folder/secret.ts", "../outside/secret.ts"]) {
      await expect(probed(`${root}/${path}`), path).rejects.toThrow(
        /outside of the folders|climbs out|leaves its folder/,
      );
    }
    for (const name of ["concat:a|b.ts", "subfile,,start,0,end,9,,:x.ts", "pipe:0", "-i", "a\nb.ts", "%s%n.ts"]) {
      writeFileSync(join(root, name), readFileSync(secret));
      await expect(probed(join(root, name)), name).resolves.toHaveLength(1);
    }
    expect(tracer.outside(root).places).toEqual([]);
  });

  test(`mutated heads end in facts or in words (seed ${seed}, ${times(8, 40, 1000)} of them)`, async () => {
    const random = randomFrom(seed);
    const bases = await mediaHeads();
    const texts = Object.values(hostile(secret)).map(([content]) => Buffer.from(content));
    for (let turn = 0; turn < times(8, 40, 1000); turn += 1) {
      const path = join(root, `m${turn}_${random.one(names)}`);
      writeFileSync(path, mutated(random.chance(0.7) ? random.one(bases) : random.one(texts), random));
      const end = await probed(path).catch((error: unknown) => error);
      if (end instanceof Error) {
        expect(end, `turn ${turn}: ${end.message}`).toBeInstanceOf(TaskError);
        expect(end.message.length).toBeGreaterThan(10);
      }
      rmSync(path);
    }
    expect(tracer.outside(root).places).toEqual([]);
  });
});

const mediaHeads = async (): Promise<Buffer[]> => {
  const film = [
    "-f",
    "lavfi",
    "-i",
    "testsrc2=size=64x64:rate=25:duration=0.4",
    "-f",
    "lavfi",
    "-i",
    "sine=duration=0.4",
  ];
  const kinds: readonly (readonly [string, ...string[]])[] = [
    ["a.mp4", "-c:v", "libx264", "-preset", "ultrafast"],
    ["a.mkv", "-c:v", "mpeg4"],
    ["a.ts", "-c:v", "mpeg2video"],
    ["a.mxf", "-c:v", "mpeg2video", "-ar", "48000"],
    ["a.avi", "-c:v", "mjpeg"],
    ["a.wav", "-vn"],
    ["a.flv", "-c:v", "flv", "-ar", "44100"],
    ["a.png", "-frames:v", "1", "-update", "1", "-an"],
  ];
  return Promise.all(
    kinds.map(async ([name, ...codec]) => {
      const path = join(scratch.path, "outside", name);
      await ffmpeg(["-v", "error", "-y", ...film, ...codec, path]);
      return readFileSync(path);
    }),
  );
};

/** Some bytes changed, some text put in, perhaps cut short. */
const mutated = (base: Buffer, random: ReturnType<typeof randomFrom>): Buffer => {
  const bytes = Buffer.from(base);
  const reach = Math.min(bytes.length, 4096);
  for (let count = random.integer(1, 16); count > 0 && reach > 0; count -= 1) {
    bytes[random.integer(0, reach - 1)] = random.integer(0, 255);
  }
  if (random.chance(0.3) && reach > 0) {
    Buffer.from(random.one(["#EXTM3U\n", "ffconcat version 1.0\n", `file ${secret}\n`, "<MPD ", "v=0\n", "\0"])).copy(
      bytes,
      random.integer(0, reach - 1),
    );
  }
  return random.chance(0.2) ? bytes.subarray(0, random.integer(0, bytes.length)) : bytes;
};
