import { expect, test } from "vitest";
import { createDecodeWatch, type DecodeLimits } from "../../../media/ffmpeg/decode-errors.ts";

const old = "[warning] /a/b.mov: corrupt decoded frame in stream 0\n";
const recent = "[vist#0:0/prores @ 0x558b] [dec:prores @ 0x5619] [warning] corrupt decoded frame\n";
const refusedOld = "[error] Error while decoding stream #0:1: Invalid data found when processing input\n";
const refusedRecent =
  "[aist#0:1/aac @ 0x5] [dec:aac @ 0x6] [error] Error submitting packet to decoder: Invalid data found\n";
const mended = "[h264 @ 0x55] [info] concealing 89 DC, 89 AC, 89 MV errors in P frame\n";
const goodOld = "[info] decoder -> ist_index:0 type:video frame_pts:512 frame_pts_time:0.04\n";
const goodRecent = "[vist#0:0/prores @ 0x55] [dec:prores @ 0x56] [info] decoder -> pts:0 pts_time:0 pkt_dts:0\n";

const problem = (limits: DecodeLimits, ...lines: string[]) => {
  const watch = createDecodeWatch(limits);
  return lines.map((line) => watch.feed(line, 432).problem).findLast((each) => each !== undefined);
};

test.each([
  ["a frame that is marked as damaged", [old], "video decode error: too many errors (1)"],
  ["the same in newer words", [recent], "video decode error: too many errors (1)"],
  ["a packet that is refused", [refusedOld], "video decode error: too many errors (1)"],
  ["a packet of sound that is refused", [refusedRecent], "audio decode error: too many errors (1)"],
  ["a frame that was mended", [mended], "video decode error: too many errors (1)"],
  ["a mended frame that is marked as well", [mended, recent], "video decode error: too many errors (1)"],
])("%s is one error", (_what, lines, message) => {
  expect(problem({}, ...lines)).toBe(`pipeline error: OTT::${message} at 432`);
});

test("as many errors as are tolerated pass, one more does not", () => {
  expect(problem({ most: 2 }, old, refusedOld)).toBe(undefined);
  expect(problem({ most: 2 }, old, refusedOld, old)).toContain("too many errors (3)");
});

test.each([
  ["old", old, goodOld],
  ["recent", recent, goodRecent],
])("errors in a row end with a good frame, in %s words", (_name, damaged, good) => {
  // The line after a damaged frame's mark is that frame's own.
  expect(problem({ inARow: 2 }, damaged, good, damaged, good, good, damaged, good, damaged, good)).toBe(undefined);
  expect(problem({ inARow: 2 }, damaged, good, damaged, good, damaged, good)).toBe(
    "pipeline error: OTT::video decode error: too many sequential errors (3) at 432",
  );
});

test("errors in a row count, however much good news comes in the same breath", () => {
  const all = [recent, goodRecent, recent, goodRecent, recent, goodRecent, goodRecent, goodRecent].join("");
  expect(createDecodeWatch({ inARow: 2 }).feed(all, 432).problem).toContain("too many sequential errors (3)");
});

test("what only tells of frames stays out of the log, and lines may come in pieces", () => {
  const watch = createDecodeWatch({ inARow: 1 });
  const text = `[info] Stream mapping\n${goodOld}[info] filter -> pts:1\n[info] muxer <- type:video\n[info] end\n`;
  const log = [...text].map((character) => watch.feed(character, 0).log).join("");
  expect(log).toBe("[info] Stream mapping\n[info] end\n");
});

test("news of a frame that another thread writes into the end of a line is news all the same", () => {
  const side = "[info]         cpb: bitrate max/min/avg: 0/0/0 buffer size: 0 vbv_delay: N/A";
  const watch = createDecodeWatch({ inARow: 1 });
  const { log, problem: found } = watch.feed(
    `${recent}${side}decoder -> pts:0 pts_time:0\n\n${recent}${goodRecent}`,
    9,
  );
  expect(log).toBe(`${recent}${side}\n\n${recent}`);
  expect(found).toContain("too many sequential errors (2)");
});

test("a file's own words are no errors", () => {
  const forged = [
    "[info]     title           : [warning] x: corrupt decoded frame in stream 0",
    "[info]  x: concealing 1 DC, 1 AC, 1 MV errors",
  ];
  expect(problem({}, ...forged.map((line) => `${line}\n`))).toBe(undefined);
});
