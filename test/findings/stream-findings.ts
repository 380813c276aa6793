import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dashFaults } from "../helpers/manifests/dash-faults.ts";
import { hlsFaults } from "../helpers/manifests/hls-faults.ts";
import { ffmpeg } from "../helpers/media/media-tools.ts";
import { type Book, completed, type Finding, madeFile } from "./finding.ts";
import { look, secondsOf, textOf, tonesOf } from "./measure.ts";

const isRight = (faults: readonly string[], name: string, { want }: Book): void =>
  want(
    faults.length === 0,
    `${name}: ${faults.length === 0 ? "no fault by the validator" : faults.join("; ").slice(0, 400)}`,
  );

const framesOf = async (path: string, wanted: number, name: string, { want }: Book): Promise<void> => {
  const { video } = await look(path);
  want(video?.nb_read_frames === wanted, `${name}: ${video?.nb_read_frames} of ${wanted} frames`);
};

const isWholeFilm = async (path: string, frames: number, seconds: number, { want }: Book): Promise<void> => {
  const { video, audio } = await look(path);
  want(video?.nb_read_frames === frames, `${video?.nb_read_frames} of ${frames} frames`);
  // What headers say of a stream's length is guessed from its ends.
  const heard = await secondsOf(path);
  want(Math.abs(heard - seconds) < 0.06, `sound of ${heard.toFixed(3)} s of ${seconds}`);
  // Apart from the middle, where two recordings may join.
  for (const part of [
    [0.1, 0.45],
    [0.55, 0.9],
  ] as const) {
    const [tone = 0] = await tonesOf(path, audio[0]?.channels ?? 1, part);
    want(Math.abs(tone - 440) <= 10, `a tone of ${tone} Hz`);
  }
};

/** Packets whose tables say AC-3: the DVB way is a private stream with the descriptor 0x6a. */
const isDvbAc3 = (bytes: Buffer): { readonly type: number; readonly descriptors: number[] } | undefined => {
  for (let at = 0; at + 188 <= bytes.length; at += 188) {
    const packet = bytes.subarray(at, at + 188);
    const table = packet.subarray(5);
    if ((packet.readUInt8(1) & 0x40) === 0 || packet[4] !== 0 || table[0] !== 2) continue;
    const end = 3 + (table.readUInt16BE(1) & 0xfff) - 4;
    for (let from = 12 + (table.readUInt16BE(10) & 0xfff); from + 5 <= end; ) {
      const length = table.readUInt16BE(from + 3) & 0xfff;
      const descriptors: number[] = [];
      for (let each = from + 5; each < from + 5 + length; each += 2 + (table[each + 1] ?? 0))
        descriptors.push(table[each] ?? 0);
      if (table[from] !== 2) return { type: table[from] ?? 0, descriptors };
      from += 5 + length;
    }
  }
  return undefined;
};

/** Bits a second between the first and the last clock reference of a transport stream. */
const rateByClock = (bytes: Buffer): number => {
  const references: [at: number, seconds: number][] = [];
  for (let at = 0; at + 188 <= bytes.length; at += 188) {
    const hasClock = (bytes.readUInt8(at + 3) & 0x20) !== 0 && bytes.readUInt8(at + 4) > 6;
    if (!hasClock || (bytes.readUInt8(at + 5) & 0x10) === 0) continue;
    const base = bytes.readUInt32BE(at + 6) * 2 + (bytes.readUInt8(at + 10) >> 7);
    const extension = bytes.readUInt16BE(at + 10) & 0x1ff;
    references.push([at, (base * 300 + extension) / 27e6]);
  }
  const [[from, begin] = [0, 0]] = references;
  const [to, end] = references.at(-1) ?? [0, 0];
  return ((to - from) * 8) / (end - begin);
};

const decrypted = async (path: string, stream: string): Promise<number> => {
  const key = ["-decryption_key", "00112233445566778899aabbccddeeff"];
  const text = await ffmpeg(["-v", "error", ...key, "-i", path, "-map", `0:${stream}:0`, "-f", "framemd5", "-"]);
  return text
    .toString()
    .split("\n")
    .filter((line) => /^0,/.test(line)).length;
};

export const streamFindings: Readonly<Record<string, Finding>> = {
  j32_dash_av: completed("track_name was ignored in DASH; own manifests lacked attributes", async (made, book) => {
    const path = madeFile(made, "j32_dash_av.mpd");
    const text = textOf(path);
    isRight(dashFaults(path), "MPD", book);
    book.want(/<BaseURL>http:\/\/cdn\/?<\/BaseURL>/.test(text), `BaseURL ${/<BaseURL>[^<]*/.exec(text)?.[0]}`);
    book.want(/rep_audio/.test(text), `track name: ${/.{0,40}rep_audio.{0,20}/.exec(text)?.[0]}`);
  }),
  j71_pkg_role: completed("two sounds of one language in one set; roles and names ignored", async (made, book) => {
    const { want } = book;
    const [mpd, m3u8] = [madeFile(made, "j71rp", "man.mpd"), madeFile(made, "j71rp", "man.m3u8")];
    isRight(dashFaults(mpd), "MPD", book);
    isRight(hlsFaults(m3u8), "HLS", book);
    const [text, list] = [textOf(mpd), textOf(m3u8)];
    const sets = text.match(/<AdaptationSet/g)?.length ?? 0;
    want(sets === 5, `${sets} adaptation sets (a picture, four sounds)`);
    for (const role of ["dub", "commentary"]) want(text.includes(`value="${role}"`), `DASH says ${role}`);
    for (const name of ["English", "Version francaise", "Commentary", "Deutsch"])
      want(list.includes(`NAME="${name}"`) && text.includes(name), `${name} in both`);
  }),
  stream_mf_ts: completed("the first EXTINF was 10.6 of 2.0 s", async (made, book) => {
    const path = madeFile(made, "mf_ts", "master.m3u8");
    isRight(hlsFaults(path), "HLS", book);
    const rates = [...textOf(path).matchAll(/RESOLUTION=(\d+x\d+)/g)].map(([, size]) => size);
    book.want(rates.length >= 2, `${rates.join(", ")}`);
    await framesOf(path, 250, "first variant", book);
  }),
  stream_mf_ts_hsub: completed("subtitles beside TS lacked X-TIMESTAMP-MAP: 10 s early", async (made, book) => {
    const path = madeFile(made, "mf_ts_hsub", "master.m3u8");
    isRight(hlsFaults(path), "HLS", book);
    const list = textOf(path);
    book.want(/TYPE=SUBTITLES/.test(list), "a rendition of subtitles");
    const uri = /TYPE=SUBTITLES.*?URI="([^"]+)"/.exec(list)?.[1] ?? "";
    const media = madeFile(made, "mf_ts_hsub", uri);
    const segment =
      textOf(media)
        .split("\n")
        .find((line) => /\.(web)?vtt$/.test(line)) ?? "";
    const first = textOf(join(media, "..", segment));
    book.want(/X-TIMESTAMP-MAP=/.test(first), `${/X-TIMESTAMP-MAP=\S+/.exec(first)?.[0]}`);
  }),
  stream_mf_av1: completed("codec strings unlike the configuration boxes", async (made, book) => {
    const path = madeFile(made, "mf_av1", "master.mpd");
    isRight(dashFaults(path), "MPD", book);
    book.want(/codecs="av01/.test(textOf(path)), `${/codecs="av01[^"]*"/.exec(textOf(path))?.[0]}`);
    await framesOf(path, 250, "DASH", book);
  }),
  stream_pk_hdr: completed("no VIDEO-RANGE of PQ", async (made, book) => {
    const [m3u8, mpd] = [madeFile(made, "pk_hdr", "pkg", "master.m3u8"), madeFile(made, "pk_hdr", "pkg", "master.mpd")];
    isRight(hlsFaults(m3u8), "HLS", book);
    isRight(dashFaults(mpd), "MPD", book);
    book.want(/VIDEO-RANGE=PQ/.test(textOf(m3u8)), "VIDEO-RANGE=PQ");
    await framesOf(m3u8, 200, "HLS", book);
  }),
  stream_pk_segmented_ts: completed("segmented_ts with WebVTT and I-frame playlists failed", async (made, book) => {
    const path = madeFile(made, "pk_segmented_ts", "pkg", "master.m3u8");
    isRight(hlsFaults(path), "HLS", book);
    const list = textOf(path);
    book.want(/EXT-X-I-FRAME-STREAM-INF/.test(list), "I-frame playlists");
    book.want(/TYPE=SUBTITLES/.test(list), "a rendition of subtitles");
    await framesOf(path, 250, "first variant", book);
  }),
  stream_en_t_cenc: completed("encrypted sound failed at random: ciphertext probed as AAC", async (made, { want }) => {
    const [v, a] = [madeFile(made, "en_t_cenc", "v.mp4"), madeFile(made, "en_t_cenc", "a.mp4")];
    want(readFileSync(v).includes("cenc") && readFileSync(a).includes("cbcs"), "cenc and cbcs are said");
    const [pictures, sound] = [await decrypted(v, "v"), await decrypted(a, "a")];
    want(pictures === 250, `${pictures} of 250 pictures once decrypted`);
    want(sound >= 469 && sound <= 471, `${sound} frames of sound of 469 to 471 once decrypted`);
  }),
  stream_dv_ac3: completed("compliance dvb marked AC-3 the ATSC way", async (made, { want }) => {
    const path = madeFile(made, "dv_ac3", "o.ts");
    const said = isDvbAc3(readFileSync(path));
    want(
      said?.type === 6 && said.descriptors.includes(0x6a),
      `stream type ${said?.type}, descriptors ${said?.descriptors.map((each) => `0x${each.toString(16)}`).join(" ")}`,
    );
    want(said?.descriptors.includes(0x0a) === true, "a language is said");
  }),
  stream_sc_y0c: completed("a CBR stream with a cue at its start failed its own check", async (made, book) => {
    const path = madeFile(made, "sc_y0c", "o.ts");
    await isWholeFilm(path, 250, 10, book);
    const { streams } = await look(path);
    const isMarked = streams.some(
      ({ codec_name, codec_tag_string }) => codec_name === "scte_35" || codec_tag_string === "[134][0][0][0]",
    );
    book.want(isMarked, "a stream of SCTE-35");
    const rate = rateByClock(readFileSync(path)) / 1000;
    book.want(Math.abs(rate - 2000) < 80, `${rate.toFixed(0)} kbit/s of 2000`);
  }),
  stream_sg_closed: completed("sections of TS failed once one begins at 10 s or later", async (made, book) =>
    isWholeFilm(madeFile(made, "sg_closed", "o.mp4"), 1550, 62, book),
  ),
  stream_tj_back: completed("a clock that jumps back lost pictures and sound", async (made, book) => {
    const path = madeFile(made, "tj_back", "o.mov");
    if (!existsSync(path)) return book.want(false, "no file");
    await isWholeFilm(path, 250, 10, book);
  }),
};
