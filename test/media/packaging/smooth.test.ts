import { describe, expect, test } from "vitest";
import { clientManifest, type SmoothMedia, serverManifest, smoothStreams } from "../../../media/packaging/smooth.ts";
import { parseSmoothCodec } from "../../../media/packaging/smooth-codec.ts";
import type { SmoothTrack } from "../../../shared/work/media-steps/describe-smooth.ts";

const second = 10_000_000;
const index = (...lengths: readonly number[]): SmoothMedia["index"] => ({
  ...{ timescale: second, head: 100 },
  segments: lengths.map((length, at) => ({ from: 100, length, start: at * 2 * second, duration: 2 * second })),
});
const codec = { fourCc: "H264", privateData: "0000000167" };
const picture = (file: string, height: number, ...lengths: readonly number[]): SmoothMedia => ({
  ...{ codec, index: index(...lengths) },
  track: { file, url: file, kind: "video", width: height * 2, height },
});
const sound = (more: Partial<SmoothTrack>): SmoothMedia => ({
  ...{ codec: { fourCc: "AACL", privateData: "1190" }, index: index(2000) },
  track: { file: "a.isma", url: "../a%20b.isma", kind: "audio", sampleRate: 48_000, channels: 2, ...more },
});

describe("manifests of Smooth Streaming", () => {
  const streams = smoothStreams([
    picture("high.ismv", 360, 250_000, 250_000),
    picture("low.ismv", 180, 25_000, 25_000),
    sound({ language: "eng" }),
  ]);

  test("tell players the levels of each stream, and when each fragment begins and how long it lasts", () => {
    expect(clientManifest(streams)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<SmoothStreamingMedia MajorVersion="2" MinorVersion="0" TimeScale="10000000" Duration="40000000">
  <StreamIndex Type="video" Name="video" TimeScale="10000000" Chunks="2" QualityLevels="2" MaxWidth="720" MaxHeight="360" DisplayWidth="720" DisplayHeight="360" Url="QualityLevels({bitrate})/Fragments(video={start time})">
    <QualityLevel Index="0" Bitrate="1000000" FourCC="H264" CodecPrivateData="0000000167" MaxWidth="720" MaxHeight="360"/>
    <QualityLevel Index="1" Bitrate="100000" FourCC="H264" CodecPrivateData="0000000167" MaxWidth="360" MaxHeight="180"/>
    <c t="0" d="20000000"/>
    <c t="20000000" d="20000000"/>
  </StreamIndex>
  <StreamIndex Type="audio" Name="audio_eng" Language="eng" TimeScale="10000000" Chunks="1" QualityLevels="1" Url="QualityLevels({bitrate})/Fragments(audio_eng={start time})">
    <QualityLevel Index="0" Bitrate="8000" FourCC="AACL" CodecPrivateData="1190" SamplingRate="48000" Channels="2" BitsPerSample="16" PacketSize="4" AudioTag="255"/>
    <c t="0" d="20000000"/>
  </StreamIndex>
</SmoothStreamingMedia>
`);
  });

  test("tell the server which file and track each of them is", () => {
    expect(serverManifest(streams, "film&amp.ismc")).toContain('content="film&amp;amp.ismc"');
    expect(serverManifest(streams, "film.ismc").split("\n").slice(6, 14)).toEqual([
      "    <switch>",
      '      <video src="high.ismv" systemBitrate="1000000">',
      '        <param name="trackID" value="1" valuetype="data"/>',
      '        <param name="trackName" value="video" valuetype="data"/>',
      "      </video>",
      '      <video src="low.ismv" systemBitrate="100000">',
      '        <param name="trackID" value="1" valuetype="data"/>',
      '        <param name="trackName" value="video" valuetype="data"/>',
    ]);
  });

  test("give levels of one bit rate, and sounds of one language, addresses of their own", () => {
    const [video, first, other] = smoothStreams([
      ...[picture("a.ismv", 360, 1000), picture("b.ismv", 180, 1000)],
      ...[sound({ language: "en-GB" }), sound({ language: "en-GB" })],
    ]);
    expect(video?.levels.map(({ bitrate }) => bitrate)).toEqual([4000, 4001]);
    expect([first?.name, other?.name]).toEqual(["audio_enGB", "audio_enGB_2"]);
  });

  test("are refused for pictures that begin their segments at different times", () => {
    expect(() => smoothStreams([picture("a.ismv", 360, 1, 1), picture("b.ismv", 180, 1)])).toThrow(
      "b.ismv and a.ismv begin their segments at different times: give their targets the same distance between key frames",
    );
  });
});

const box = (type: string, ...parts: readonly (readonly number[])[]): number[] => {
  const payload = parts.flat();
  return [0, 0, 0, payload.length + 8, ...[...type].map((letter) => letter.charCodeAt(0)), ...payload];
};
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
const stsd = (...entry: readonly number[]) => new DataView(new Uint8Array([...zeros(4), 0, 0, 0, 1, ...entry]).buffer);

describe("what a decoder begins with", () => {
  const avcC = [1, 100, 0, 30, 0xff, 0xe1, 0, 2, 0x67, 0x64, 1, 0, 1, 0x68];
  const esds = [0, 0, 0, 0, 3, 0x80, 0x16, 0, 1, 0, 4, 17, ...zeros(13), 5, 2, 0x11, 0x90];

  test("is the parameter sets of H.264, each behind a start code", () => {
    const found = parseSmoothCodec(stsd(...box("avc1", zeros(78), box("avcC", avcC))));
    expect(found).toEqual({ fourCc: "H264", privateData: "0000000167640000000168" });
  });

  test("is the configuration of AAC, whose length may be written in several bytes", () => {
    const found = parseSmoothCodec(stsd(...box("mp4a", zeros(28), box("esds", esds))));
    expect(found).toEqual({ fourCc: "AACL", privateData: "1190" });
  });

  test.each<[string, number[]]>([
    ["another codec", box("hvc1", zeros(78))],
    ["no configuration", box("avc1", zeros(78))],
    ["no entry", []],
    ...avcC.map((_, length): [string, number[]] => [
      `H.264 that breaks off after ${length} bytes`,
      box("avc1", zeros(78), box("avcC", avcC.slice(0, length))),
    ]),
    ...esds.map((_, length): [string, number[]] => [
      `AAC that breaks off after ${length} bytes`,
      box("mp4a", zeros(28), box("esds", esds.slice(0, length))),
    ]),
  ])("is not found in %s", (_what, entry) => {
    expect(parseSmoothCodec(stsd(...entry))).toBeUndefined();
  });
});
