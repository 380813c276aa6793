import { createReadStream, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { findPackageJSON } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, extname, join, normalize } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Asset } from "../../shared/model/asset.ts";
import { first } from "../helpers/long.ts";
import { mediaNode } from "../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, packagerPath, scratchFolder } from "../helpers/media/media-tools.ts";
import { smoothAnswer } from "../helpers/media/smooth-origin.ts";
import { chromiumPath, openBrowser } from "../helpers/pages/browser.ts";

const hasAll = [chromiumPath, ffmpegPath, ffprobePath, packagerPath].every((path) => path !== undefined);
if (!hasAll) console.warn("Packages are not played: there is no Chromium, no ffmpeg or no Shaka Packager");

const key = "00112233445566778899aabbccddeeff";
const keyId = "7a01421ef3b446b5890f5a10eb7f6dd6";
const folder = scratchFolder();
const at = (...names: string[]) => join(folder.path, ...names);
const moduleFile = (name: string, path: string) => join(dirname(findPackageJSON(name, import.meta.url) ?? ""), path);

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".m3u8": "application/vnd.apple.mpegurl",
  ".mpd": "application/dash+xml",
  ".mp4": "video/mp4",
  ".m4s": "video/mp4",
  ".ts": "video/mp2t",
  ".vtt": "text/vtt",
};

/** Files of the folder, with byte ranges as players ask for them. */
const serve = (): Promise<Server> => {
  const server = createServer((request, response) => {
    const path = at(normalize(decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname)));
    const answer = path.includes(".ism/") ? smoothAnswer(path) : undefined;
    if (answer)
      return response
        .writeHead(200, { "content-type": path.endsWith("Manifest") ? "application/vnd.ms-sstr+xml" : "video/mp4" })
        .end(answer);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile()) return response.writeHead(404).end();
    const type = types[extname(path)] ?? "application/octet-stream";
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
    const start = Number(range?.[1] ?? 0);
    const end = range?.[2] ? Math.min(Number(range[2]), stats.size - 1) : stats.size - 1;
    response.writeHead(range ? 206 : 200, {
      "content-type": type,
      "content-length": end - start + 1,
      "accept-ranges": "bytes",
      ...(range && { "content-range": `bytes ${start}-${end}/${stats.size}` }),
    });
    return createReadStream(path, { start, end }).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
};

let server: Server;
let browser: Browser;
afterAll(async () => {
  await browser?.close();
  server?.close();
  await folder[Symbol.asyncDispose]();
});

/** Runs a script in a page with the players, which tells what happened. */
const played = async (script: string, player = "player.html"): Promise<unknown> => {
  const page = await browser.newPage();
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${player}`);
    return await page.evaluate(script);
  } finally {
    await page.close();
  }
};

/** A player may stop while its buffers are exchanged, or at the end: each look starts it again. What it waited for is told with its state. */
const untilPlayed = `
  const video = document.querySelector("video");
  video.muted = true;
  video.loop = true;
  const state = () => JSON.stringify({
    at: video.currentTime, ready: video.readyState, paused: video.paused, ended: video.ended, height: video.videoHeight,
    buffered: [...Array(video.buffered.length).keys()].map((n) => [video.buffered.start(n), video.buffered.end(n)]),
  });
  const until = (what, holds) => new Promise((resolve, reject) => {
    const started = performance.now();
    const look = () => {
      if (holds()) return resolve();
      if (performance.now() - started > 60000) return reject(new Error("waited for " + what + " at " + state()));
      if (video.paused || video.ended) video.play().catch(() => {});
      setTimeout(look, 50);
    };
    look();
  });
  // Nothing is sought: a player that switches and seeks at once may lose what it has just loaded.
  const plays = async (what, holds) => {
    await until(what, () => holds() && video.readyState >= 3);
    const from = video.currentTime;
    await until(what + " to get on", () => Math.abs(video.currentTime - from) > 0.3);
  };`;

/** Plays every rendition for a moment with hls.js, and every track of sound; gives the sizes that were shown. */
const withHls = (path: string) => `(async () => {${untilPlayed}
  const hls = new Hls();
  const errors = [];
  hls.on(Hls.Events.ERROR, (_event, data) => { if (data.fatal) errors.push(data.details); });
  hls.loadSource(${JSON.stringify(path)});
  hls.attachMedia(video);
  await plays("the film", () => errors.length > 0 || hls.levels.length > 0);
  const sizes = [];
  for (let level = 0; level < hls.levels.length; level++) {
    hls.currentLevel = level;
    await plays("level " + level, () => errors.length > 0 || video.videoHeight === hls.levels[level].height);
    sizes.push(video.videoWidth + "x" + video.videoHeight);
  }
  const sounds = hls.allAudioTracks.map(({ lang }) => lang);
  for (const track of hls.audioTracks.keys()) {
    hls.audioTrack = track;
    await plays("sound " + track, () => errors.length > 0 || hls.audioTrack === track);
  }
  hls.subtitleTrack = hls.subtitleTracks.length - 1;
  if (hls.subtitleTracks.length > 0) await until("subtitles", () => [...video.textTracks].some(({ cues }) => cues && cues.length === 2));
  return { errors, sizes, sounds: [...new Set(sounds)].sort(), subtitles: hls.subtitleTracks.map(({ lang }) => lang) };
})()`;

const withShaka = (path: string) => `(async () => {${untilPlayed}
  shaka.polyfill.installAll();
  const player = new shaka.Player();
  const errors = [];
  player.addEventListener("error", ({ detail }) => errors.push(detail.code + " " + JSON.stringify(detail.data)));
  await player.attach(video);
  player.configure({ abr: { enabled: false } });
  await player.load(${JSON.stringify(path)});
  await plays("the film", () => true);
  const sizes = [];
  for (const track of player.getVariantTracks()) {
    player.selectVariantTrack(track, true);
    await plays("variant " + track.id, () => errors.length > 0 || video.videoHeight === track.height);
    if (errors.length > 0) throw new Error(errors.join(", "));
    sizes.push(video.videoWidth + "x" + video.videoHeight);
  }
  return [...new Set(sizes)].sort();
})()`;

/** Plays each size and language by itself, with its subtitles; gives what was shown. */
const eachWithShaka = (path: string, keys: object = {}) => `(async () => {${untilPlayed}
  shaka.polyfill.installAll();
  const shown = [];
  for (const height of [90, 180]) for (const language of ["en", "it"]) {
    const player = new shaka.Player();
    const errors = [];
    player.addEventListener("error", ({ detail }) => errors.push(detail.code));
    await player.attach(video);
    player.configure({ restrictions: { minHeight: height, maxHeight: height }, preferredAudioLanguage: language });
    player.configure({ drm: { clearKeys: ${JSON.stringify(keys)} } });
    await player.load(${JSON.stringify(path)});
    const [text] = player.getTextTracks();
    player.selectTextTrack(text);
    video.playbackRate = 4;
    // The end: every key has been needed by then.
    await until(height + " " + language, () => errors.length > 0 || (video.videoHeight === height && video.currentTime > 3.2));
    const { active } = Object.groupBy(player.getVariantTracks(), (track) => (track.active ? "active" : "other"));
    const texts = () => [...video.textTracks].flatMap(({ cues }) => [...(cues ?? [])].map((cue) => cue.text));
    await until("subtitles", () => errors.length > 0 || new Set(texts()).size === 2);
    shown.push([video.videoHeight, active[0].language, text.language, ...errors]);
    await player.destroy();
  }
  return shown;
})()`;

/** The same with dash.js; gives also where each buffer begins, which is where picture and sound are in step. */
const withDashJs = (path: string) => `(async () => {${untilPlayed}
  const player = dashjs.MediaPlayer().create();
  const errors = [];
  player.on(dashjs.MediaPlayer.events.ERROR, ({ error }) => errors.push(error.message));
  player.updateSettings({ streaming: { abr: { autoSwitchBitrate: { video: false } } } });
  player.initialize(video, ${JSON.stringify(path)}, true);
  await plays("the film", () => errors.length > 0 || video.currentTime > 0);
  const from = video.buffered.start(0);
  const sounds = player.getTracksFor("audio").map(({ lang }) => lang);
  const sizes = [];
  for (const { id, height } of player.getRepresentationsByType("video")) {
    player.setRepresentationForTypeById("video", id, true);
    await plays("height " + height, () => errors.length > 0 || video.videoHeight === height);
    sizes.push(video.videoWidth + "x" + video.videoHeight);
  }
  return { errors, sizes: sizes.sort(), sounds: sounds.sort(), from };
})()`;

const everything = [90, 180].flatMap((height) => ["en", "it"].map((language) => [height, language, "de"]));

/** The key ids that the browser's own reader of boxes finds, as it asks a license server for them. */
const asked = (initialization: string) => `(async () => {
  const video = document.querySelector("video");
  const type = 'video/mp4; codecs="avc1.42c01e"';
  const capabilities = [{ initDataTypes: ["cenc"], videoCapabilities: [{ contentType: type }] }];
  const access = await navigator.requestMediaKeySystemAccess("org.w3.clearkey", capabilities);
  const session = (await access.createMediaKeys()).createSession();
  const message = new Promise((resolve) => session.addEventListener("message", resolve, { once: true }));
  const encrypted = new Promise((resolve) => video.addEventListener("encrypted", resolve, { once: true }));
  const source = new MediaSource();
  video.src = URL.createObjectURL(source);
  await new Promise((resolve) => source.addEventListener("sourceopen", resolve, { once: true }));
  source.addSourceBuffer(type).appendBuffer(await (await fetch(${JSON.stringify(initialization)})).arrayBuffer());
  const { initDataType, initData } = await encrypted;
  await session.generateRequest(initDataType, initData);
  return JSON.parse(new TextDecoder().decode((await message).message)).kids;
})()`;

/** Whether the film gets on within some seconds, with these keys. */
const getsOn = (path: string, keys: object, seconds: number) => `(async () => {${untilPlayed}
  shaka.polyfill.installAll();
  const player = new shaka.Player();
  await player.attach(video);
  player.configure({ drm: { clearKeys: ${JSON.stringify(keys)} } });
  await player.load(${JSON.stringify(path)});
  video.play();
  const tooLong = new Promise((resolve) => setTimeout(resolve, ${seconds} * 1000));
  await Promise.race([tooLong, until("the film", () => video.currentTime > 0.5)]);
  return video.currentTime > 0.5 && video.getVideoPlaybackQuality().totalVideoFrames > 5;
})()`;

describe.skipIf(!hasAll)("what is packaged plays in Chromium", () => {
  beforeAll(async () => {
    const node = mediaNode(folder.path);
    const picture = (size: string) => ["-f", "lavfi", "-i", `testsrc2=s=${size}:r=25:d=4`];
    const h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "25", "-sc_threshold", "0", "-preset", "ultrafast"];
    const fragmented = [
      "-c",
      "copy",
      "-movflags",
      "frag_keyframe+empty_moov+default_base_moof",
      "-frag_duration",
      "1000000",
    ];
    const sound = (pitch: number) => ["-f", "lavfi", "-i", `sine=f=${pitch}:r=48000:d=4`, "-ac", "2", "-c:a", "aac"];
    await make(at("high.mp4"), ...picture("320x180"), ...h264);
    await make(at("low.mp4"), ...picture("160x90"), ...h264);
    await make(at("en.mp4"), ...sound(440));
    await make(at("it.mp4"), ...sound(660));
    writeFileSync(
      at("subs.vtt"),
      "WEBVTT\n\n00:00:00.500 --> 00:00:01.500\nOne\n\n00:00:02.000 --> 00:00:03.000\nTwo\n",
    );
    const asset = (name: string, layer?: Asset["layer"]): Asset => ({
      ...{ version: name, files: [{ uri: `file://${at(name)}` }] },
      ...(layer && { layer }),
    });
    const inputs = [
      ...[asset("high.mp4"), asset("low.mp4")],
      asset("en.mp4", { audio: [{ language: "eng" }] }),
      asset("it.mp4", { audio: [{ language: "ita" }] }),
      asset("subs.vtt", { subtitle: [{ language: "deu" }] }),
    ];
    const packaged = (name: string, payload: object) =>
      node.made(
        "package",
        { location: { path: at(name) }, file_pattern: "master", segment_duration_sec: 1, ...payload },
        inputs,
      );
    await packaged("ts", { kind: "hls", segmentation_mode: "segmented_ts" });
    await packaged("aes", { kind: "hls", segmentation_mode: "segmented_ts", encryption: { rotation: 1 } });
    await packaged("fmp4", { kind: ["hls", "dash"], segmentation_mode: "fmp4" });
    for (const name of ["high", "low", "en", "it"])
      await make(at(`${name}.frag.mp4`), "-i", at(`${name}.mp4`), ...fragmented);
    const lying = inputs.map(({ files, ...rest }) => ({
      ...{ ...rest, files: files.map(({ uri }) => ({ uri: uri.replace(/\.mp4$/, ".frag.mp4") })) },
    }));
    const whole = { location: { path: at("lying") }, file_pattern: "master", kind: ["hls", "dash"] };
    await node.made("package", { ...whole, force_original_media: true }, lying);
    const encryption = { drm: ["clearkey", "widevine", "playready"], key, key_id: keyId };
    const segmented = { kind: "dash", segmentation_mode: "segmented_mp4" };
    await packaged("cenc", { ...segmented, encryption: { ...encryption, schema: "mpeg-cenc", rotation: 1 } });
    await packaged("cbcs", { ...segmented, encryption: { ...encryption, schema: "mpeg-cbcs" } });
    await packaged("open", { kind: "hls", encryption: { schema: "sample-aes", key, key_id: keyId } });
    // Pictures that are decoded in another order than shown would come late where times are not kept.
    const reordered = ["-bf", "2", ...h264, "-x264-params", "b-adapt=0"];
    await make(at("high_b.mp4"), ...picture("320x180"), ...reordered);
    await make(at("low_b.mp4"), ...picture("160x90"), ...reordered);
    const smooth = inputs.map(({ files, ...rest }) => ({
      ...{ ...rest, files: files.map(({ uri }) => ({ uri: uri.replace(/(high|low)\.mp4$/, "$1_b.mp4") })) },
    }));
    await node.made(
      "package",
      { ...whole, location: { path: at("smooth") }, kind: "smooth", segment_duration_sec: 1 },
      smooth,
    );
    for (const name of ["all", "mss"])
      writeFileSync(at(`dash.${name}.js`), readFileSync(moduleFile("dashjs", `dist/modern/umd/dash.${name}.min.js`)));
    writeFileSync(at("hls.js"), readFileSync(moduleFile("hls.js", "dist/hls.min.js")));
    writeFileSync(at("shaka.js"), readFileSync(moduleFile("shaka-player", "dist/shaka-player.compiled-es2021.js")));
    const scripts = '<script src="hls.js"></script><script src="shaka.js"></script>';
    const dashScripts = '<script src="dash.all.js"></script><script src="dash.mss.js"></script>';
    writeFileSync(at("player.html"), `<!doctype html><title>Player</title>${scripts}<video></video>`);
    writeFileSync(at("dash.html"), `<!doctype html><title>Player</title>${dashScripts}<video></video>`);
    server = await serve();
    browser = await openBrowser();
  });

  test.each(
    first([
      ["transport streams", "ts/master.m3u8"],
      ["transport streams encrypted with AES-128 by a new key for each segment", "aes/master.m3u8"],
      ["fragments in byte ranges", "fmp4/master.m3u8"],
      ["files as they came in", "lying/master.m3u8"],
    ]),
  )("as HLS in %s, through every rendition, language and subtitle", async (_what, path) => {
    expect(await played(withHls(path))).toEqual({
      errors: [],
      sizes: expect.arrayContaining(["320x180", "160x90"]),
      sounds: ["en", "it"],
      subtitles: ["de"],
    });
  });

  test("as DASH, through every rendition", async () => {
    expect(await played(withShaka("fmp4/master.mpd"))).toEqual(["160x90", "320x180"]);
  });

  test("as Smooth Streaming, through every rendition, picture and sound in step", async () => {
    expect(await played(withDashJs("smooth/master.ism/Manifest"), "dash.html")).toEqual({
      ...{ errors: [], sizes: ["160x90", "320x180"], sounds: ["eng", "ita"], from: 0 },
    });
  });

  test("as DASH over files as they came in, in each size and language, with subtitles", async () => {
    expect(await played(eachWithShaka("lying/master.mpd"))).toEqual(everything);
  });

  test("as DASH under common encryption with keys that change, in each size and language, with subtitles", async () => {
    const turned = (text: string, bytes: number) => text.slice(2 * bytes) + text.slice(0, 2 * bytes);
    const keys = Object.fromEntries([0, 1, 2, 3, 4].map((n) => [turned(keyId, n), turned(key, n)]));
    expect(await played(eachWithShaka("cenc/master.mpd", keys))).toEqual(everything);
  });

  test("as DASH under cbcs with the key, and not without it", async () => {
    expect(await played(getsOn("cbcs/master.mpd", { [keyId]: key }, 60))).toBe(true);
    // A player that sees nothing but noise stands still, or says so.
    const wrong = { [keyId]: "f".repeat(32) };
    expect(await played(getsOn("cbcs/master.mpd", wrong, 5)).catch(() => false)).toBe(false);
  });

  test("as HLS in SAMPLE-AES with the key that its playlists name, in each size and language, with subtitles", async () => {
    expect(await played(eachWithShaka("open/master.m3u8"))).toEqual(everything);
  });

  test("with boxes of three systems, of which the browser reads the one that it knows", async () => {
    const kids = [Buffer.from(keyId, "hex").toString("base64url")];
    expect(await played(asked("cbcs/high_init.mp4"))).toEqual(kids);
  });
});
