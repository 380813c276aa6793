import { execFileSync } from "node:child_process";
import { createDecipheriv } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import HLS from "hls-parser";
import { parse as parseMpd } from "mpd-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Asset } from "../../../shared/model/asset.ts";
import { first } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, packagerPath, scratchFolder } from "../../helpers/media/media-tools.ts";
import { decryptSamples } from "./sample-aes.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined && packagerPath !== undefined;
if (!hasTools) console.warn("Packages are not tested: there is no ffmpeg, no ffprobe or no Shaka Packager");

const folder = scratchFolder();
const node = mediaNode(folder.path);
const at = (...names: string[]) => join(folder.path, ...names);
afterAll(() => folder[Symbol.asyncDispose]());

const key = "00112233445566778899aabbccddeeff";
const keyId = "7a01421ef3b446b5890f5a10eb7f6dd6";
const asset = (name: string, layer?: Asset["layer"]): Asset => ({
  ...{ version: name, files: [{ uri: `file://${at(name)}` }] },
  ...(layer && { layer }),
});

const packaged = (name: string, payload: object, inputs = [asset("v.mp4")]) =>
  node.made(
    "package",
    { location: { path: at(name) }, file_pattern: "master", segment_duration_sec: 1, ...payload },
    inputs,
  );

/** Hashes of all decoded frames. */
const framesOf = (path: string): string[] => {
  const words = ["-v", "error", ...(/\.(m3u8|mpd)$/.test(path) ? ["-allowed_extensions", "ALL"] : []), "-i", path];
  const text = execFileSync(ffmpegPath ?? "", [...words, "-map", "0:v:0", "-f", "framemd5", "-"], {
    encoding: "utf8",
    stdio: "pipe",
  });
  return text.split("\n").flatMap((line) => (/^\d/.test(line) ? [line.split(",").at(-1)?.trim() ?? ""] : []));
};

type Segment = {
  uri: string;
  duration: number;
  byterange?: { offset: number; length: number };
  key?: { method: string; uri: string; iv?: Uint8Array };
};
const playlist = (...names: string[]) =>
  HLS.parse(readFileSync(at(...names), "utf8")) as unknown as { segments: Segment[]; isIFrame?: boolean; uri?: string };

/** Every `pssh` box in a file, read by the standard's layout: its system, and the key ids that it names. */
const boxesIn = (path: string): { system: string; keyIds: string[] }[] => {
  const bytes = readFileSync(path);
  const found = [];
  for (let from = bytes.indexOf("pssh"); from !== -1; from = bytes.indexOf("pssh", from + 4)) {
    const version = bytes[from + 4] ?? 0;
    const system = bytes.subarray(from + 8, from + 24).toString("hex");
    const count = version > 0 ? bytes.readUInt32BE(from + 24) : 0;
    const keyIds = Array.from({ length: count }, (_, n) =>
      bytes.subarray(from + 28 + 16 * n, from + 44 + 16 * n).toString("hex"),
    );
    found.push({ system, keyIds });
  }
  return found;
};

describe.skipIf(!hasTools)("a package", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    const picture = ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=5"];
    const cut = ["-g", "25", "-keyint_min", "25", "-sc_threshold", "0", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
    await make(at("v.mp4"), ...picture, "-c:v", "libx264", ...cut);
    await make(at("a.mp4"), "-f", "lavfi", "-i", "sine=r=48000:d=5", "-ac", "2", "-c:a", "aac");
    const text = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n\n00:00:03.000 --> 00:00:04.500\nWorld\n";
    writeFileSync(at("s.vtt"), text);
  });

  test.each(first(["segmented_ts", "single_ts"]))(
    "as %s has I-frame playlists, each range of which is one key frame",
    async (mode) => {
      const hls = { include_iframe_manifests: true, master_manifest_iframe_references_location: "before_media" };
      await packaged(`i-${mode}`, { segmentation_mode: mode, hls });
      const { segments, isIFrame } = playlist(`i-${mode}`, "v_iframes.m3u8");
      expect(isIFrame).toBe(true);
      expect(segments.map(({ duration }) => duration)).toEqual([1, 1, 1, 1, 1]);
      const keyFrames = framesOf(at("v.mp4")).filter((_, frame) => frame % 25 === 0);
      const shown = segments.map(({ uri, byterange }) => {
        const bytes = readFileSync(at(`i-${mode}`, uri));
        const { offset = 0, length = 0 } = byterange ?? {};
        // The tables of programmes stand at the beginning of the file.
        writeFileSync(at("one.ts"), Buffer.concat([bytes.subarray(0, 376), bytes.subarray(offset, offset + length)]));
        return framesOf(at("one.ts"));
      });
      expect(shown).toEqual(keyFrames.map((frame) => [frame]));
      const master = readFileSync(at(`i-${mode}`, "master.m3u8"), "utf8");
      expect(master.indexOf("I-FRAME-STREAM-INF")).toBeLessThan(master.indexOf("#EXT-X-STREAM-INF"));
      expect(framesOf(at(`i-${mode}`, "v.m3u8"))).toEqual(framesOf(at("v.mp4")));
    },
  );

  test("with keys that AES-128 draws has another one after as many segments as the payload says", async () => {
    const encryption = {
      rotation: 2,
      key_file_pattern: "{source_basename}{default_extension}",
      key_location: { path: at("keys") },
    };
    await packaged("rotated", { segmentation_mode: "segmented_ts", encryption }, [asset("v.mp4"), asset("a.mp4")]);
    expect(readdirSync(at("keys")).sort()).toEqual(["v_00000.key", "v_00001.key", "v_00002.key"]);
    const keys = readdirSync(at("keys"))
      .sort()
      .map((name) => readFileSync(at("keys", name)));
    expect(new Set(keys.map((each) => each.toString("hex"))).size).toBe(3);
    expect(framesOf(at("rotated", "v.m3u8"))).toEqual(framesOf(at("v.mp4")));
    const { segments } = playlist("rotated", "v.m3u8");
    expect(segments.map((each) => each.key?.uri)).toEqual([0, 0, 1, 1, 2].map((n) => `../keys/v_0000${n}.key`));
    // The third segment, decrypted without a player: its number is its initialisation vector.
    const iv = Buffer.alloc(16);
    iv.writeUInt8(3, 15);
    const decipher = createDecipheriv("aes-128-cbc", keys[1] ?? "", iv);
    const clear = Buffer.concat([decipher.update(readFileSync(at("rotated", "v_00003.ts"))), decipher.final()]);
    expect([clear[0], clear.length % 188]).toEqual([0x47, 0]);
    expect(playlist("rotated", "a.m3u8").segments[2]?.key?.uri).toBe("../keys/v_00001.key");
  });

  test("with a key that lies where players fetch it uses it, and writes none", async () => {
    await make(at("key-there.bin"), "-f", "lavfi", "-i", "anullsrc", "-t", "0.01", "-f", "u8");
    writeFileSync(at("key-there.bin"), Buffer.from(key, "hex"));
    const encryption = {
      external_key_file: true,
      key_location: { path: folder.path },
      key_file_pattern: "key-there.bin",
      iv: key,
    };
    const { log } = await packaged("external", { segmentation_mode: "segmented_ts", encryption });
    expect(readdirSync(at("external")).some((name) => name.includes("key"))).toBe(false);
    const [segment] = playlist("external", "v.m3u8").segments;
    expect(segment?.key).toMatchObject({ method: "AES-128", uri: "../key-there.bin" });
    expect(framesOf(at("external", "v.m3u8"))).toEqual(framesOf(at("v.mp4")));
    expect(log).not.toContain(key);
  });

  test("with keys of common encryption that change is the frames that went in, each period by its own key", async () => {
    const encryption = { schema: "mpeg-cenc", drm: ["widevine", "clearkey"], key, key_id: keyId, rotation: 2 };
    const { log } = await packaged("periods", {
      kind: ["hls", "dash"],
      segmentation_mode: "segmented_mp4",
      encryption,
    });
    const turned = (text: string, bytes: number) => text.slice(2 * bytes) + text.slice(0, 2 * bytes);
    const periods = [0, 1, 2].map((n) => ({ id: turned(keyId, n), key: turned(key, n) }));
    const names = [1, 2, 3, 4, 5].map((n) => `v_0000${n}.m4s`);
    expect(names.map((name) => boxesIn(at("periods", name)).flatMap(({ keyIds }) => keyIds))).toEqual(
      [0, 0, 1, 1, 2].map((n) => [periods[n]?.id]),
    );
    // Each period by itself: this tool knows one key a file.
    const shown = periods.flatMap((period, n) => {
      const own = ["v_init.mp4", ...names.slice(2 * n, 2 * n + 2)];
      writeFileSync(at("part.mp4"), Buffer.concat(own.map((name) => readFileSync(at("periods", name)))));
      const words = [`in=${at("part.mp4")},stream=video,output=${at("part.clear.mp4")}`, "--enable_raw_key_decryption"];
      const keys = `--keys=key_id=${"0".repeat(32)}:key=${period.key}`;
      execFileSync(packagerPath ?? "", [...words, keys, "--quiet"]);
      return framesOf(at("part.clear.mp4"));
    });
    expect(shown).toEqual(framesOf(at("v.mp4")));
    expect(log).not.toContain(key);
  });

  test("signals each system by a box that names the key", async () => {
    const encryption = { schema: "mpeg-cbcs", drm: ["widevine", "playready", "clearkey"], key, iv: key, key_id: keyId };
    await packaged("boxes", { kind: "dash", encryption });
    const boxes = boxesIn(at("boxes", "v.mp4"));
    expect(boxes.map(({ system }) => system).sort()).toEqual([
      ...["1077efecc0b24d02ace33c1e52e2fb4b", "9a04f07998404286ab92e65be0885f95", "edef8ba979d64acea3c827dcd51d21ed"],
    ]);
    expect(boxes.find(({ system }) => system.startsWith("1077"))?.keyIds).toEqual([keyId]);
    // The key id, as it stands in the data of Widevine and, in another order of bytes, in PlayReady's header.
    const text = readFileSync(at("boxes", "master.mpd"), "utf8");
    const inManifest = [...text.matchAll(/<cenc:pssh>([^<]+)</g)].map(([, box]) => Buffer.from(box ?? "", "base64"));
    expect(inManifest.filter((box) => box.toString("hex").includes(keyId)).length).toBeGreaterThanOrEqual(2);
    const wide = inManifest.map((box) => box.toString("utf16le", box.length % 2)).join();
    const swapped = Buffer.from("1e42017ab4f3b546890f5a10eb7f6dd6", "hex").toString("base64");
    expect(wide.includes(swapped) || inManifest.some((box) => box.includes(Buffer.from(swapped, "utf16le")))).toBe(
      true,
    );
  });

  const bytesOf = (path: string, ...words: string[]): Buffer =>
    execFileSync(ffmpegPath ?? "", ["-v", "error", "-i", path, "-c", "copy", ...words, "-"]);

  test.each(first(["segmented_ts", "single_ts"]))(
    "as %s in SAMPLE-AES is signalled for FairPlay, and an own reader finds the samples that went in",
    async (mode) => {
      const fairplay = { drm: "fairplay", fairplay_uri: "skd://film" };
      const encryption = { schema: "sample-aes", key, iv: key, key_id: keyId, ...fairplay };
      const name = `sample-${mode}`;
      await packaged(name, { segmentation_mode: mode, encryption }, [asset("v.mp4"), asset("a.mp4")]);
      const clear = (stem: string) => {
        const { segments } = playlist(name, `${stem}.m3u8`);
        expect(segments[0]?.key).toMatchObject({ method: "SAMPLE-AES", uri: "skd://film" });
        const files = [...new Set(segments.map(({ uri }) => uri))].map((uri) => readFileSync(at(name, uri)));
        return Buffer.concat(
          files.map((each) => decryptSamples(each, Buffer.from(key, "hex"), Buffer.from(key, "hex"))),
        );
      };
      writeFileSync(at("clear.h264"), clear("v"));
      expect(framesOf(at("clear.h264"))).toEqual(framesOf(at("v.mp4")));
      expect(clear("a").equals(bytesOf(at("a.mp4"), "-f", "adts"))).toBe(true);
      const [first] = playlist(name, "v.m3u8").segments;
      expect(framesOf(at(name, first?.uri ?? ""))).not.toEqual(framesOf(at("v.mp4")).slice(0, 25));
    },
  );

  test("in SAMPLE-AES without a system has its key in a file, from which players take it", async () => {
    const inputs = [asset("v.mp4"), asset("a.mp4")];
    const [encryption, key_location] = [{ schema: "sample-aes" }, { path: at("open-keys") }];
    await packaged("open", { segmentation_mode: "segmented_ts", encryption }, inputs);
    const placed = { ...encryption, key, key_id: keyId, key_location, key_file_pattern: "film.key" };
    const { log } = await packaged("open-fmp4", { encryption: placed }, inputs);
    expect(playlist("open", "v.m3u8").segments[0]?.key).toMatchObject({ method: "SAMPLE-AES", uri: "segments.key" });
    expect(readFileSync(at("open", "segments.key"))).toHaveLength(16);
    // ffmpeg's reader of such streams loses the last frame.
    expect(framesOf(at("open", "v.m3u8")).slice(0, 124)).toEqual(framesOf(at("v.mp4")).slice(0, 124));
    expect(playlist("open-fmp4", "v.m3u8").segments[0]?.key?.uri).toBe("../open-keys/film.key");
    expect(readFileSync(at("open-keys", "film.key")).toString("hex")).toBe(key);
    const words = ["-v", "error", "-decryption_key", key, "-i", at("open-fmp4", "v.mp4"), "-map", "0:v", "-c", "copy"];
    execFileSync(ffmpegPath ?? "", [...words, "-y", at("decrypted.mkv")]);
    expect(framesOf(at("decrypted.mkv"))).toEqual(framesOf(at("v.mp4")));
    expect(log).not.toContain(key);
  });

  test("has the names of files that the payload's patterns say, and they play", async () => {
    const patterns = {
      ...{ media_file_pattern: "m_{source_basename}.fmp4", init_file_pattern: "head_{source_basename}" },
      ...{
        media_file_extensions: { audio: "cmfa" },
        hls: { media_playlist_file_pattern: "list_{source_basename}.m3u8" },
      },
    };
    const inputs = [asset("v.mp4"), asset("a.mp4")];
    await packaged("names", { segmentation_mode: "segmented_mp4", ...patterns }, inputs);
    expect(
      readdirSync(at("names"))
        .filter((name) => !/_0000[2-9]/.test(name))
        .sort(),
    ).toEqual([
      ...["head_a.mp4", "head_v.mp4", "list_a.m3u8", "list_v.m3u8", "m_a_00001.cmfa", "m_v_00001.m4s", "master.m3u8"],
    ]);
    expect(framesOf(at("names", "list_v.m3u8"))).toEqual(framesOf(at("v.mp4")));
    await packaged("ending", { ...patterns, segmentation_mode: "fmp4" });
    expect(readdirSync(at("ending")).sort()).toEqual(["list_v.m3u8", "m_v.fmp4", "master.m3u8"]);
    expect(framesOf(at("ending", "m_v.fmp4"))).toEqual(framesOf(at("v.mp4")));
  });

  test("of DASH has lists of segments, subtitles in fragments and words about the programme, where they are asked for", async () => {
    const said = { title: "A & B", author: "Studio", copyright: "2026", info_url: "https://studio.example/?a=1&b=2" };
    const inputs = [asset("v.mp4"), asset("a.mp4"), asset("s.vtt", { subtitle: [{ language: "deu" }] })];
    await packaged(
      "lists",
      { kind: "dash", dash: { use_segment_list: true, subtitle_container: "mp4" }, ...said },
      inputs,
    );
    const text = readFileSync(at("lists", "master.mpd"), "utf8");
    expect(text.match(/<SegmentURL mediaRange="\d+-\d+"\/>/g)?.length).toBeGreaterThanOrEqual(10);
    const { playlists, mediaGroups } = parseMpd(text, { manifestUri: "http://x/master.mpd" });
    expect((playlists[0] as unknown as { segments: unknown[] }).segments).toHaveLength(5);
    expect(Object.keys(mediaGroups.AUDIO.audio)).toHaveLength(1);
    expect(text).toContain('codecs="wvtt"');
    expect(readFileSync(at("lists", "s.mp4")).includes("vttc")).toBe(true);
    expect(text).toContain('<ProgramInformation moreInformationURL="https://studio.example/?a=1&amp;b=2">');
    expect(text).toContain("<Title>A &amp; B</Title>");
  });

  test("of HEVC has the prefix that players ask for, in media and master", async () => {
    const picture = ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=1", "-c:v", "libx265", "-preset", "ultrafast"];
    await make(at("h.mp4"), ...picture, "-x265-params", "log-level=error:keyint=25", "-tag:v", "hvc1");
    const tagOf = (path: string) =>
      execFileSync(
        ffprobePath ?? "",
        ["-v", "error", "-show_entries", "stream=codec_tag_string", "-of", "csv=p=0", path],
        {
          encoding: "utf8",
        },
      ).trim();
    for (const prefix of ["hvc1", "hev1"]) {
      await packaged(prefix, { hls: { hevc_codec_id_prefix: prefix } }, [asset("h.mp4")]);
      expect(readFileSync(at(prefix, "master.m3u8"), "utf8")).toContain(`CODECS="${prefix}.`);
      expect(tagOf(at(prefix, "h.mp4"))).toBe(prefix);
      expect(framesOf(at(prefix, "h.m3u8"))).toEqual(framesOf(at("h.mp4")));
    }
  });

  test("of media as they lie refers to their fragments, and leaves them alone", async () => {
    const inputs = [asset("v.mp4"), asset("a.mp4")];
    const made = {
      video: { codec: "h264", preset: "ultrafast", crf: 20 },
      container: { kind: "fmp4", segment_duration_sec: 2 },
    };
    await node.made(
      "transcode",
      { location: { path: at("made") }, targets: [{ ...made, file_pattern: "a film" }] },
      inputs.slice(0, 1),
    );
    const sound = { audio: [{ codec: "aac" }], container: made.container, file_pattern: "sound" };
    await node.made("transcode", { location: { path: at("made") }, targets: [sound] }, inputs.slice(1));
    const before = readFileSync(at("made", "a film.mp4"));
    const layers = [asset("made/a film.mp4"), asset("made/sound.mp4", { audio: [{ language: "eng" }] })];
    const payload = { kind: ["hls", "dash"], force_original_media: true, media_location: { path: "/elsewhere" } };
    const { work } = await packaged("lies", payload, [...layers, asset("s.vtt", { subtitle: [{ language: "deu" }] })]);
    expect(Object.keys(work.outputs)).toEqual([
      ...["playlist_a_film.m3u8", "playlist_sound.m3u8", "playlist_s.m3u8", "dash", "hls"],
    ]);
    expect(readFileSync(at("made", "a film.mp4")).equals(before)).toBe(true);
    const { segments } = playlist("lies", "a_film.m3u8");
    expect(segments.map(({ uri, duration }) => [uri, duration])).toEqual(
      [2, 2, 1].map((n) => ["../made/a%20film.mp4", n]),
    );
    for (const { byterange } of segments)
      expect(before.toString("latin1", (byterange?.offset ?? 0) + 4, (byterange?.offset ?? 0) + 8)).toBe("moof");
    // This reader takes addresses for names of files.
    writeFileSync(at("lies", "named.m3u8"), decodeURIComponent(readFileSync(at("lies", "a_film.m3u8"), "utf8")));
    expect(framesOf(at("lies", "named.m3u8"))).toEqual(framesOf(at("made", "a film.mp4")));
    const text = readFileSync(at("lies", "master.mpd"), "utf8");
    const [, from = 0, to = 0] = (/indexRange="(\d+)-(\d+)"/.exec(text) ?? []).map(Number);
    expect([before.toString("latin1", from + 4, from + 8), before.readUInt32BE(from)]).toEqual(["sidx", to - from + 1]);
    writeFileSync(at("lies", "named.mpd"), decodeURIComponent(text));
    expect(framesOf(at("lies", "named.mpd"))).toEqual(framesOf(at("made", "a film.mp4")));
    const total = (HLS.parse(readFileSync(at("lies", "sound.m3u8"), "utf8")) as unknown as { segments: Segment[] })
      .segments;
    expect(total.reduce((sum, { duration }) => sum + duration, 0)).toBeCloseTo(5, 1);
    await expect(packaged("lies2", payload, [asset("v.mp4")])).rejects.toThrow("is not a fragmented MP4 file");
  });
});
