import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import HLS from "hls-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Asset } from "../../../shared/model/asset.ts";
import { times } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, packagerPath, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined && packagerPath !== undefined;
if (!hasTools) console.warn("Encrypted targets are not tested: there is no ffmpeg, no ffprobe or no Shaka Packager");

const folder = scratchFolder();
const node = mediaNode(folder.path);
const at = (...names: string[]) => join(folder.path, ...names);
afterAll(() => folder[Symbol.asyncDispose]());

const key = "00112233445566778899aabbccddeeff";
const keyId = "7a01421ef3b446b5890f5a10eb7f6dd6";

/** Hashes of all decoded frames, or of the sound. */
const decoded = (path: string, stream = "v", opening: readonly string[] = []): string => {
  const words = ["-v", "error", ...opening, "-i", path, "-map", `0:${stream}:0`, "-f", "md5", "-"];
  return execFileSync(ffmpegPath ?? "", words, { encoding: "utf8", stdio: "pipe" });
};
const playing = ["-allowed_extensions", "ALL"];
const picture = { codec: "h264", preset: "ultrafast", idr_interval: { frames: 25 }, use_scene_detection: false };
const sound = [{ codec: "aac", channels: 2 }];

type Playlist = { segments: { uri: string; key?: { method: string; uri: string; iv?: Uint8Array } }[] };
const playlist = (...names: string[]) => HLS.parse(readFileSync(at(...names), "utf8")) as unknown as Playlist;

describe.skipIf(!hasTools)("an encrypted target", () => {
  let inputs: readonly Asset[] = [];
  beforeAll(async () => {
    const clips = ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=3", "-f", "lavfi", "-i", "sine=r=48000:d=3"];
    await make(at("film.mkv"), ...clips, "-c:v", "ffv1", "-c:a", "pcm_s16le");
    inputs = await node.assets({ kind: "asset_url", payload: { storage_provider: "file", url: at("film.mkv") } });
  });
  const made = (name: string, container: object, streams: object) => {
    const target = { file_pattern: "film{default_extension}", container, ...streams };
    return node.made("transcode", { location: { path: at(name) }, targets: [target] }, inputs);
  };

  test("of HLS plays with the key that its playlist names, and is the clear one", async () => {
    const container = { kind: "hls", segment_duration_sec: 1 };
    const streams = { video: picture, audio: sound };
    await made("clear", container, streams);
    const encryption = { key, iv: key, key_location: { path: at("keys") } };
    const { log } = await made("aes", { ...container, encryption }, streams);
    const { segments } = playlist("aes", "film.m3u8");
    expect(segments[0]?.key).toMatchObject({ method: "AES-128", uri: "../keys/film.key" });
    expect(readFileSync(at("keys", "film.key")).toString("hex")).toBe(key);
    for (const stream of ["v", "a"])
      expect(decoded(at("aes", "film.m3u8"), stream, playing)).toBe(decoded(at("clear", "film.m3u8"), stream, playing));
    // A reader that knows nothing of HLS: OpenSSL's own program.
    const words = ["enc", "-d", "-aes-128-cbc", "-K", key, "-iv", key, "-in", at("aes", segments[0]?.uri ?? "")];
    expect(execFileSync("openssl", words)).toEqual(readFileSync(at("clear", segments[0]?.uri ?? "")));
    expect(log).not.toContain(key);
  });

  test("of HLS with drawn keys has another one after as many segments as the job says", async () => {
    const encryption = { rotation: 2 };
    await made("drawn", { kind: "hls", segment_duration_sec: 1, encryption }, { video: picture });
    expect(readdirSync(at("drawn")).filter((name) => name.endsWith(".key"))).toEqual([
      "film_00000.key",
      "film_00001.key",
    ]);
    expect(decoded(at("drawn", "film.m3u8"), "v", playing)).toBe(decoded(at("clear", "film.m3u8"), "v", playing));
  });

  test.each([
    ["mp4", "mpeg-cenc", { video: picture }, "v"],
    ["fmp4", "mpeg-cbcs", { video: picture }, "v"],
    ["mp4", "mpeg-cenc", { audio: sound }, "a"],
  ])("of %s in %s is what was made once it is decrypted (%#)", async (kind, schema, streams, stream) => {
    const name = `${kind}_${schema}_${stream}`;
    await made(`${name}_clear`, { kind, segment_duration_sec: 1 }, streams);
    const encryption = { schema, key, iv: key, key_id: keyId, drm: ["widevine", "playready"] };
    const { log } = await made(name, { kind, segment_duration_sec: 1, encryption }, streams);
    const [clear, hidden, opened] = [at(`${name}_clear`, "film.mp4"), at(name, "film.mp4"), at(`${name}.mp4`)];
    const words = [`in=${hidden},stream=${stream === "v" ? "video" : "audio"},output=${opened}`];
    const keys = ["--enable_raw_key_decryption", `--keys=key_id=${keyId}:key=${key}`, "--quiet"];
    execFileSync(packagerPath ?? "", [...words, ...keys]);
    expect(decoded(opened, stream)).toBe(decoded(clear, stream));
    // Another program with the same key, where it knows the scheme.
    expect(decoded(hidden, stream, ["-decryption_key", key])).toBe(decoded(clear, stream));
    expect(readFileSync(hidden).includes(Buffer.from("pssh"))).toBe(true);
    expect(log).not.toContain(key);
  });

  const noises = Array.from({ length: times(2, 4, 12) }, (_, seed) => seed);
  test.each(noises)(
    "of sound alone is checked before it is encrypted, whatever its ciphertext resembles: %i",
    async (seed) => {
      const name = `noise_${seed}`;
      await make(at(`${name}.wav`), "-f", "lavfi", "-i", `anoisesrc=seed=${seed}:d=4:r=48000`, "-c:a", "pcm_s16le");
      const [schema, kind] = [seed % 2 === 0 ? "mpeg-cbcs" : "mpeg-cenc", seed % 3 === 0 ? "fmp4" : "mp4"];
      const encryption = { schema, key, key_id: keyId, iv: key, drm: ["widevine"] };
      const target = {
        file_pattern: "a.mp4",
        container: { kind, encryption },
        audio: [{ codec: "aac", bitrate_kb: 96 }],
      };
      const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${at(`${name}.wav`)}` } });
      const { verified } = await node.made("transcode", { location: { path: at(name) }, targets: [target] }, assets);
      expect((await verified()).map(({ path }) => path)).toEqual([at(name, "a.mp4")]);
      const clear = { ...target, file_pattern: "clear.mp4", container: { kind } };
      await node.made("transcode", { location: { path: at(name) }, targets: [clear] }, assets);
      const opened = decoded(at(name, "a.mp4"), "a", ["-decryption_key", key]);
      expect(opened).toBe(decoded(at(name, "clear.mp4"), "a"));
    },
  );
});
