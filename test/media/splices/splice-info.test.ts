import { expect, test } from "vitest";
import { crc32, isIntact } from "../../../media/formats/crc32.ts";
import { buildSpliceInsert, parseSpliceTime, retimed } from "../../../media/splices/splice-info.ts";
import { ticksBetween } from "../../../media/splices/ticks.ts";
import { hexOfBytes } from "../../../shared/basics/hex.ts";

test("the checksum is the one that MPEG-2 names", () => {
  expect(crc32(new TextEncoder().encode("123456789"))).toBe(0x0376e6e7);
});

test("a splice_insert is written bit by bit as SCTE 35 says", () => {
  const cueOut = buildSpliceInsert({ eventId: 0x48_00_00_8f, isOut: true, pts: 0x1_12_34_56_78, programId: 7 });
  expect(hexOfBytes(cueOut.subarray(0, -4))).toBe(
    "fc302000000000000000fff00f05" + "4800008f7fcfff12345678" + "00070000" + "0000",
  );
  expect(isIntact(cueOut)).toBe(true);
  const cueInNow = buildSpliceInsert({ eventId: 2, availNum: 3, availsExpected: 4 });
  expect(hexOfBytes(cueInNow.subarray(14, -4))).toBe("000000027f5f000003040000");
  const cancelled = buildSpliceInsert({ eventId: 9, isCancelled: true, isOut: true, pts: 5 });
  expect(hexOfBytes(cancelled.subarray(14, -4))).toBe("00000009ff0000");
});

test("the number of an avail counts only where avails are expected", () => {
  const section = buildSpliceInsert({ eventId: 1, pts: 0, availNum: 3, availsExpected: 0 });
  expect(hexOfBytes(section.subarray(25, 29))).toBe("00000000");
});

test("a section is moved in time by its adjustment, past the end of 33 bits too", () => {
  const section = buildSpliceInsert({ eventId: 1, isOut: true, pts: 2 ** 33 - 10 });
  const later = retimed(section, 30);
  expect([parseSpliceTime(section), parseSpliceTime(later), isIntact(later)]).toEqual([2 ** 33 - 10, 20, true]);
  expect(retimed(later, -30)).toEqual(section);
  expect(ticksBetween(2 ** 33 - 10, 20)).toBe(30);
});

test("a time_signal tells its time, and one at once tells none", () => {
  const signal = Uint8Array.from([
    ...[0xfc, 0x30, 0x16, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xf0, 0x05, 0x06],
    ...[0xfe, 0x00, 0x01, 0x5f, 0x90, 0, 0, 0, 0, 0, 0],
  ]);
  expect(parseSpliceTime(signal)).toBe(90_000);
  expect(parseSpliceTime(buildSpliceInsert({ eventId: 1 }))).toBeUndefined();
});
