import { expect, test } from "vitest";
import { isIntact, withCrc } from "../../../media/formats/crc32.ts";
import { pidOf } from "../../../media/formats/transport-packets.ts";
import { createSpliceFinder } from "../../../media/splices/find.ts";
import { createSpliceInserter } from "../../../media/splices/insert.ts";
import { packetizeSection, readMap, sectionIn } from "../../../media/splices/packets.ts";
import { buildSpliceInsert } from "../../../media/splices/splice-info.ts";
import { hexOfBytes } from "../../../shared/basics/hex.ts";
import type { SplicePoint } from "../../../shared/work/splice-point.ts";

const tables = [
  ...packetizeSection(withCrc(Uint8Array.from([0, 0xb0, 13, 0, 1, 0xc1, 0, 0, 0, 1, 0xf0, 0, 0, 0, 0, 0])), 0, 0),
  ...packetizeSection(
    withCrc(Uint8Array.from([2, 0xb0, 18, 0, 1, 0xc1, 0, 0, 0xe1, 0, 0xf0, 0, 0x1b, 0xe1, 0, 0xf0, 0, 0, 0, 0, 0])),
    0x1000,
    0,
  ),
];
const nothing = Uint8Array.from([0x47, 0x1f, 0xff, 0x10, ...Array(184).fill(0xff)]);

/** The packet in which a picture with this stamp begins. */
const picture = (pts: number): Uint8Array => {
  const stamp = [0x21 | ((pts / 2 ** 30) << 1), pts >> 22, ((pts >> 14) & 0xfe) | 1, pts >> 7, ((pts << 1) & 0xfe) | 1];
  const head = [0x47, 0x41, 0x00, 0x10, 0, 0, 1, 0xe0, 0, 0, 0x80, 0x80, 5, ...stamp.map((byte) => byte & 0xff)];
  return Uint8Array.from([...head, ...Array(188 - head.length).fill(0)]);
};

const point = (at: number, splice: number): SplicePoint => {
  return { at, splice, section: hexOfBytes(buildSpliceInsert({ eventId: 1, isOut: true, pts: splice })) };
};
const streamOf = (packets: readonly Uint8Array[]) => Uint8Array.from(packets.flatMap((packet) => [...packet]));
const pidsIn = (bytes: Uint8Array) =>
  Array.from({ length: bytes.length / 188 }, (_, index) => pidOf(bytes.subarray(index * 188, index * 188 + 188)));

test("sections come before the picture of their time, and are found again with the same times", () => {
  const points = [point(3600, 7200), point(7200, 10_800), point(90_000, 180_000)];
  const inserter = createSpliceInserter(points, false);
  const made = [inserter.through(streamOf([...tables, ...[900, 4500, 8100].map(picture)])), inserter.end()];
  const whole = streamOf(made);
  expect(pidsIn(whole)).toEqual([0, 0x1000, 256, 500, 256, 500, 256, 500]);
  const map = sectionIn(whole.subarray(188, 376)) ?? new Uint8Array();
  expect([isIntact(map), readMap(map)]).toEqual([true, { clockPid: 256, pids: [256, 500] }]);
  expect(hexOfBytes(map)).toContain("050443554549");
  const finder = createSpliceFinder({ pids: [500], picture: 256, zero: 900 });
  finder.see(whole);
  expect(finder.points.map(({ at, splice }) => [at, splice])).toEqual([
    [0, 7200],
    [3600, 10_800],
    [7200, 180_000],
  ]);
});

test("a recording of a whole day keeps the times of its sections, although stamps start again at zero", () => {
  const hour = 3600 * 90_000;
  const zero = 2 ** 33 - hour;
  const pictures = Array.from({ length: 24 }, (_, nr) => picture((zero + nr * hour) % 2 ** 33));
  const points = [point(2 * hour, 2 * hour + 900), point(20 * hour, 20 * hour + 900)];
  const inserter = createSpliceInserter(points, false);
  const whole = streamOf([inserter.through(streamOf([...tables, ...pictures])), inserter.end()]);
  const finder = createSpliceFinder({ pids: [500], picture: 256, zero });
  finder.see(whole);
  expect(finder.points.map(({ at, splice }) => [at / hour, (splice ?? 0) - 900])).toEqual([
    [1, 2 * hour],
    [19, 20 * hour],
  ]);
});

test("a stream of constant rate gives null packets for them", () => {
  const inserter = createSpliceInserter([point(0, 3600)], true);
  const whole = inserter.through(streamOf([...tables, picture(900), nothing, nothing]));
  expect(pidsIn(whole)).toEqual([0, 0x1000, 256, 500, 0x1fff]);
  expect(inserter.end()).toEqual(new Uint8Array());
  const full = createSpliceInserter([point(0, 3600)], true);
  full.through(streamOf([...tables, picture(900)]));
  expect(() => full.end()).toThrow("its rate leaves no room for the SCTE-35 sections");
});

test("a section of several packets is put together again", () => {
  const long = buildSpliceInsert({ eventId: 1, isOut: true, pts: 900 });
  const padded = Uint8Array.from([...long.subarray(0, -6), 1, 0x2c, ...Array(300).fill(7), 0, 0, 0, 0]);
  padded.set([0xfc, 0x30 | ((padded.length - 3) >> 8), (padded.length - 3) & 0xff]);
  const packets = packetizeSection(withCrc(padded), 500, 15);
  expect(packets.map((packet) => packet[3])).toEqual([0x1f, 0x10]);
  const finder = createSpliceFinder({ pids: [500], picture: 256, zero: 0 });
  finder.see(streamOf(packets));
  expect(finder.points).toEqual([{ at: 0, splice: 900, section: hexOfBytes(padded) }]);
});

test("what is no transport stream is refused", () => {
  expect(() => createSpliceInserter([], false).through(new Uint8Array(188))).toThrow("it is no transport stream");
  expect(() => createSpliceInserter([], false).end()).toThrow("it has no map of its streams");
});
