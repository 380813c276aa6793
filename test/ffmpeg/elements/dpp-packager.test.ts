import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpeg, ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");
const mediaInfo = "/usr/bin/mediainfo";
const xmllint = "/usr/bin/xmllint";
for (const tool of [mediaInfo, xmllint])
  if (!existsSync(tool)) console.warn(`Deliveries are not read by ${tool}: it is not installed`);

const folder = scratchFolder();
const node = mediaNode(folder.path);
const at = (name: string) => join(folder.path, name);
afterAll(() => folder[Symbol.asyncDispose]());

const metadata = {
  editorial: {
    ...{ series_title: "Rivers & Hills", programme_title: "The <Thames>", episode_title_number: "1" },
    ...{ production_number: "ABC123", synopsis: "Ein Fluß.\u0001", originator: "Studio", copyright_year: 2026 },
    ...{ other_identifier: "X-1", other_identifier_type: "house", genre: "Nature", distributor: "Studio" },
  },
  video: {
    ...{ afd: 10, picture_ratio: "16:9 (1.78:1)", three_d: "false", product_placement: false, pse_pass: "Yes" },
    ...{ pse_manufacturer: "Meter", pse_version: "3.5", video_comments: "None" },
  },
  audio: { audio_track_layout: "EBU R 123: 4b", primary_audio_language: "eng", audio_loudness_standard: "EBU R 128" },
  timecodes: { line_up_start: "09:59:59:20", ident_clock_start: "09:59:59:22" },
  access_services: {
    ...{ audio_description_present: true, audio_description_type: "AD Mix", closed_captions_present: true },
    ...{ closed_captions_type: "Hard of Hearing", closed_captions_language: "eng", open_captions_present: false },
    ...{ signing_present: "Signer only", sign_language: "BSL (British Sign Language)" },
  },
  additional: {
    ...{ completion_date: "2026-11-01", textless_elements_exist: true, programme_has_text: true },
    programme_text_language: "eng",
  },
  contact_information: { contact_email: "post@studio.example", contact_telephone_number: "+44 20 0000" },
};

const asset = (name: string) => ({ version: "t", files: [{ uri: `file://${at(name)}` }] });
const packaged = (source: string, payload: object = {}) =>
  node.made("dpp_packager", { location: { path: at("out") }, metadata, ...payload }, [asset(source)]);

/** The payload of an element of the documented example; its film is shorter here, and begins later. */
const example = (uid: string): object => {
  const text = readFileSync(join(import.meta.dirname, "../../../docs/examples/dpp-delivery.json"), "utf8");
  const { elements } = JSON.parse(text.replaceAll("09:59:30:00", "09:59:59:20")).payload;
  return elements.find((each: { uid: string }) => each.uid === uid).payload;
};

/** Four different channels of noise, in two tracks. */
const sound = [
  "-f",
  "lavfi",
  "-i",
  "anoisesrc=r=48000:d=0.4:seed=1",
  "-f",
  "lavfi",
  "-i",
  "anoisesrc=r=48000:d=0.4:seed=2",
];
const pairs = "[1:a]asplit[p][q];[2:a]asplit[r][s];[p][r]amerge[x];[q]volume=0.5[h];[h][s]amerge[y]";

/** What MediaInfo says of the file, of its picture and of each track of sound. */
const readByMediaInfo = (path: string) => {
  const text = execFileSync(mediaInfo, ["--Output=JSON", path], { encoding: "utf8" });
  const { track } = JSON.parse(text).media as { track: Record<string, string>[] };
  const of = (type: string) => track.filter((each) => each["@type"] === type);
  return { general: of("General")[0] ?? {}, video: of("Video")[0] ?? {}, audio: of("Audio"), other: of("Other") };
};

const framesOf = async (path: string): Promise<string> =>
  (await ffmpeg(["-v", "error", "-i", path, "-map", "0:v", "-f", "framemd5", "-"]))
    .toString()
    .replaceAll(/^#.*$/gm, "");

/** Samples of one channel as 24-bit numbers. */
const samplesOf = async (path: string, track: number, channel: number): Promise<string> => {
  const filter = `[0:a:${track}]pan=mono|c0=c${channel}`;
  const bytes = await ffmpeg(["-v", "error", "-i", path, "-filter_complex", filter, "-f", "s24le", "-"]);
  return createHash("md5").update(bytes).digest("hex");
};

/** The text of an element of the sidecar, found without a parser. */
const saidIn = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}(?: unit="\\w+")?>([^<]*)</${name}>`).exec(xml)?.[1];

const checkSidecar = (xml: string, media: string) => {
  expect(saidIn(xml, "MediaChecksumValue")).toBe(createHash("md5").update(readFileSync(media)).digest("hex"));
  expect([saidIn(xml, "SeriesTitle"), saidIn(xml, "ProgrammeTitle")]).toEqual([
    "Rivers &amp; Hills",
    "The &lt;Thames&gt;",
  ]);
  expect([saidIn(xml, "PartSOM"), saidIn(xml, "PartDuration")]).toEqual(["10:00:00:00", "00:00:00:05"]);
  if (!existsSync(xmllint)) return;
  const schema = join(import.meta.dirname, "../../helpers/fixtures/dpp-sidecar.xsd");
  const words = ["--nonet", "--noout", "--schema", schema, media.replace(/mxf$/, "xml")];
  execFileSync(xmllint, words, { stdio: ["ignore", "ignore", "pipe"] });
};

describe.skipIf(!hasTools)("a delivery", { timeout: 120_000 }, () => {
  test("in high definition, made as the documented example does, is OP1a with a track for each channel", async () => {
    const picture = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=0.4"];
    const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "pcm_s24le"];
    await make(
      at("hd.mov"),
      ...picture,
      ...sound,
      "-filter_complex",
      pairs,
      "-map",
      "0:v",
      "-map",
      "[x]",
      "-map",
      "[y]",
      ...h264,
    );
    await node.made("transcode", { ...example("avc_intra"), location: { path: folder.path } }, [asset("hd.mov")]);
    await packaged("hd_avci.mxf", { schema: "uk_dpp_hd", file_pattern: "hd" });
    const out = at("out/hd.mxf");
    expect(await framesOf(out)).toBe(await framesOf(at("hd_avci.mxf")));
    const channels = [0, 1, 2, 3];
    const before = await Promise.all(channels.map((n) => samplesOf(at("hd_avci.mxf"), Math.floor(n / 2), n % 2)));
    expect(new Set(before).size).toBe(2);
    expect(await Promise.all(channels.map((n) => samplesOf(out, n, 0)))).toEqual(before);
    checkSidecar(readFileSync(at("out/hd.xml"), "utf8"), out);
    if (!existsSync(mediaInfo)) return;
    const { general, video, audio, other } = readByMediaInfo(out);
    expect(general).toMatchObject({ Format: "MXF", Format_Profile: "OP-1a" });
    expect(video).toMatchObject({
      ...{ Format: "AVC", Format_Profile: "High 4:2:2 Intra", Format_Level: "4.1", Width: "1920", Height: "1080" },
      ...{ FrameRate: "25.000", BitDepth: "10", ChromaSubsampling: "4:2:2", ScanOrder: "TFF" },
    });
    expect(
      audio.map(({ Format, Channels, BitDepth, SamplingRate }) => [Format, Channels, BitDepth, SamplingRate]),
    ).toEqual(channels.map(() => ["PCM", "1", "24", "48000"]));
    expect(other.map((each) => each.TimeCode_FirstFrame)).toContain("09:59:59:20");
  });

  test("in standard definition is D-10 with one track of four channels", async () => {
    await make(
      at("sd.mov"),
      ...["-f", "lavfi", "-i", "testsrc2=s=720x576:r=25:d=0.4", ...sound],
      ...["-filter_complex", `[0:v]setsar=64/45,pad=720:608:0:32,setfield=tff[v];${pairs}`],
      ...["-map", "[v]", "-map", "[x]", "-map", "[y]", "-c:v", "mpeg2video", "-pix_fmt", "yuv422p", "-intra_vlc", "1"],
      ...["-non_linear_quant", "1", "-flags", "+ildct+low_delay", "-dc", "10", "-ps", "1", "-qmin", "1", "-qmax", "3"],
      ...["-g", "1", "-b:v", "50M", "-minrate", "50M", "-maxrate", "50M", "-bufsize", "2000000"],
      ...["-rc_init_occupancy", "2000000", "-rc_max_vbv_use", "1", "-c:a", "pcm_s24le", "-timecode", "09:59:59:20"],
    );
    await packaged("sd.mov");
    const out = at("out/sd.mxf");
    expect(await framesOf(out)).toBe(await framesOf(at("sd.mov")));
    const channels = [0, 1, 2, 3];
    const before = await Promise.all(channels.map((n) => samplesOf(at("sd.mov"), Math.floor(n / 2), n % 2)));
    expect(await Promise.all(channels.map((n) => samplesOf(out, 0, n)))).toEqual(before);
    const xml = readFileSync(at("out/sd.xml"), "utf8");
    checkSidecar(xml, out);
    expect([saidIn(xml, "ShimName"), saidIn(xml, "VideoCodec")]).toEqual(["UK DPP SD", "D10 50"]);
    if (!existsSync(mediaInfo)) return;
    const { general, video, audio } = readByMediaInfo(out);
    expect(general).toMatchObject({ Format: "MXF", Format_Profile: "OP-1a", Format_Commercial_IfAny: "IMX 50" });
    expect(video).toMatchObject({ Format: "MPEG Video", Height: "576", Height_Original: "608", FrameRate: "25.000" });
    expect(audio.map(({ Channels, BitDepth }) => [Channels, BitDepth])).toEqual([["4", "24"]]);
  });

  test("of a film that is none is refused with every rule that it breaks", async () => {
    const picture = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=1", "-f", "lavfi", "-i", "sine=r=44100:d=1"];
    await make(at("web.mp4"), ...picture, "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac");
    const refused = packaged("web.mp4");
    for (const problem of [
      "codec is h264",
      "width is 320",
      "30 frames",
      "1 channels of sound",
      "is aac",
      "44100 samples",
    ])
      await expect(refused).rejects.toThrow(problem);
  });
});
