import { expect, test } from "vitest";
import { sniff } from "../../../media/formats/sniff.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, bigEndian: boolean, mark = true) => {
  const units = [...(mark ? `\ufeff${text}` : text)].map((character) => character.charCodeAt(0));
  return Uint8Array.from(units.flatMap((unit) => (bigEndian ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8])));
};

test.each([
  ["#EXTM3U\n#EXTINF:2,\n/etc/passwd", "HLS playlist"],
  ["\ufeff\r\n  #EXTM3U\n", "HLS playlist"],
  ["ffconcat version 1.0\nfile /etc/passwd\n", "concat list"],
  ["# mine\nfile 'a.mp4'\nfile 'b.mp4'\n", "concat list"],
  ['<?xml version="1.0"?>\n<!-- x -->\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011">', "DASH manifest"],
  ['<?xml version="1.0"?><cpl:CompositionPlaylist xmlns:cpl="x">', "IMF document"],
  ["<AssetMap >", "IMF document"],
  ["v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\nc=IN IP4 10.0.0.1\r\n", "SDP description"],
  ["<SmoothStreamingMedia MajorVersion='2'>", "Smooth Streaming manifest"],
])("%j names other files", (text, what) => {
  expect(sniff(bytes(text))).toEqual({ kind: "reference", what });
});

test.each([
  ["little-endian with a mark", utf16("#EXTM3U\n", false)],
  ["big-endian with a mark", utf16("#EXTM3U\n", true)],
  ["little-endian without one", utf16("#EXTM3U\n", false, false)],
  ["big-endian without one", utf16("#EXTM3U\n", true, false)],
])("a playlist in UTF-16 is one: %s", (_name, head) => {
  expect(sniff(head)).toEqual({ kind: "reference", what: "HLS playlist" });
});

test.each([
  "1\n00:00:01,000 --> 00:00:02,000\nDas ist schön\n",
  "WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n",
  "Scenarist_SCC V1.0\n\n00:00:00:00\t9420 9420\n",
  '<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml"><body/></tt>',
])("subtitles are text: %j", (text) => {
  expect(sniff(bytes(text))).toEqual({ kind: "text" });
});

test.each([
  ["MP4", "\0\0\0\x20ftypisom"],
  ["Matroska", "\x1a\x45\xdf\xa3\x01"],
  ["WAV", "RIFF\x24\x08\0\0WAVEfmt "],
  ["PNG", "\x89PNG\r\n\x1a\n"],
  ["JPEG", "\xff\xd8\xff\xe0\0\x10JFIF"],
  ["MXF", "\x06\x0e\x2b\x34\x02\x05"],
  ["a transport stream", `G${"\x1f".repeat(187)}`.repeat(4)],
])("%s is media", (_name, text) => {
  expect(sniff(Uint8Array.from(text, (character) => character.charCodeAt(0)))).toEqual({ kind: "media" });
});

test("nothing is empty, and other bytes are unknown", () => {
  expect([sniff(new Uint8Array()), sniff(Uint8Array.of(1, 2, 3, 4, 200, 0, 7))]).toEqual([
    { kind: "empty" },
    { kind: "unknown" },
  ]);
});
