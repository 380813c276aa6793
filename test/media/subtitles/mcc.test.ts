import { expect, test } from "vitest";
import { captionPacket, parseCaptionPacket } from "../../../media/subtitles/cdp.ts";
import { type Cue, SubtitleError } from "../../../media/subtitles/cue.ts";
import { captionLinesOf, forms, parseSubtitles } from "../../../media/subtitles/index.ts";

const cues: readonly Cue[] = [
  { from: 1001, to: 2436, lines: [[{ text: "A first text" }]] },
  { from: 3003, to: 5005, lines: [[{ text: "Two lines," }], [{ text: "and a second" }]] },
];

test("a caption packet has its parts where SMPTE 334 puts them, and sums to nothing", () => {
  const packet = captionPacket(0x94ae, 0x0102);
  expect(packet.slice(0, 15)).toEqual([
    0x96, 0x69, 73, 0x4f, 0x43, 1, 2, 0x72, 0xf4, 0xfc, 0x94, 0xae, 0xfd, 0x80, 0x80,
  ]);
  expect([packet.length, packet.slice(-4, -1)]).toEqual([73, [0x74, 1, 2]]);
  expect(packet.reduce((sum, byte) => sum + byte, 0) % 256).toBe(0);
  expect(parseCaptionPacket(packet)).toEqual([0x94ae]);
});

test("MCC is written with the letters that shorten it, and says the same as SCC", () => {
  const text = forms.mcc.print(cues);
  expect(text).toContain("Time Code Rate=30DF\n\n00:00:00:17\tT49S494F43ZZ72F4FC94AEROO74ZZ7DAB\n");
  expect(parseSubtitles(text)).toEqual(parseSubtitles(forms.scc.print(cues, {})));
  const pairs = captionLinesOf(text).flatMap((line) => line.pairs);
  expect(pairs).toEqual(captionLinesOf(forms.scc.print(cues, {})).flatMap((line) => line.pairs));
});

test("MCC of other rates, with timecode in its packets and without letters, is read", () => {
  const line = "00:00:02:12\t61011596690F1F4300007100000000".concat("72E1FC94AE7400000000");
  const text = `File Format=MacCaption_MCC V2.0\n// a comment\nTime Code Rate=25\n\n${line}\n`;
  expect(captionLinesOf(text)).toEqual([{ frame: 74, pairs: [0x94ae] }]);
});

test("MCC without a rate is refused in words, and lines of other data are left out", () => {
  const head = "File Format=MacCaption_MCC V1.0\n";
  expect(() => parseSubtitles(`${head}\n00:00:00:00\tT0100\n`)).toThrow(SubtitleError);
  expect(() => parseSubtitles(head)).toThrow("this is no readable mcc: its Time Code Rate is none of 24, 25, 30");
  expect(captionLinesOf(`${head}Time Code Rate=30\n00:00:00:00\t600103010203\n99:99\tT\n00:00:00:01\tT\n`)).toEqual([]);
});
