import { expect, test } from "vitest";
import { createPacer, firstClockIn } from "../../../media/splices/pacer.ts";

const bytes = 188;
const [mapPid, picturePid] = [0x1000, 0x100];

const packet = (pid: number, counter: number, body: readonly number[], isStart = false): Buffer => {
  const made = Buffer.alloc(bytes, 0xff);
  made.set([0x47, (isStart ? 0x40 : 0) | (pid >> 8), pid & 255, 0x10 | (counter & 15), ...body]);
  return made;
};

const table = (counter: number) =>
  packet(0, counter, [0, 0, 0xb0, 13, 0, 1, 0xc1, 0, 0, 0, 1, 0xe0 | (mapPid >> 8), mapPid & 255, 0, 0, 0, 0], true);
const map = (counter: number) => {
  const [high, low] = [0xe0 | (picturePid >> 8), picturePid & 255];
  return packet(
    mapPid,
    counter,
    [0, 2, 0xb0, 18, 0, 1, 0xc1, 0, 0, high, low, 0xf0, 0, 0x1b, high, low, 0xf0, 0, 0, 0, 0, 0],
    true,
  );
};

/** A packet with payload whose clock reference is so many milliseconds. */
const clocked = (counter: number, ms: number): Buffer => {
  const made = packet(picturePid, counter, [7, 0x10]);
  made.set([0x47, picturePid >> 8, picturePid & 255, 0x30 | (counter & 15)]);
  const base = ms * 90;
  made.writeUInt32BE(Math.floor(base / 2), 6);
  made.set([((base & 1) << 7) | 0x7e, 0], 10);
  return made;
};

const pidOf = (each: Buffer) => each.readUInt16BE(1) & 0x1fff;
const hasClock = (each: Buffer) => (each.readUInt8(3) & 0x20) !== 0 && (each.readUInt8(5) & 0x10) !== 0;
const clockOf = (each: Buffer) => (each.readUInt32BE(6) * 2 + (each.readUInt8(10) >> 7)) / 90;

const paced = (packets: readonly Buffer[], cut = 3): Buffer[] => {
  const pacer = createPacer({ clock: 40, tables: 100 });
  const all = Buffer.concat(packets);
  const made = Buffer.concat([
    pacer.through(all.subarray(0, cut * bytes)),
    pacer.through(all.subarray(cut * bytes)),
    pacer.end(),
  ]);
  return packetsIn(made);
};

const packetsIn = (made: Buffer): Buffer[] =>
  Array.from({ length: made.length / bytes }, (_, at) => made.subarray(at * bytes, (at + 1) * bytes));

const seldom = [
  ...[table(0), map(0), clocked(0, 0), ...[1, 2, 3, 4].map((at) => packet(picturePid, at, [at]))],
  ...[table(1), map(1), clocked(5, 500), packet(picturePid, 6, [6]), clocked(7, 530)],
];

test("clock references stand at most so far apart, at even distances between those that were there", () => {
  const clocks = paced(seldom).filter(hasClock).map(clockOf);
  const gaps = clocks.slice(1).map((clock, at) => clock - (clocks[at] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(40);
  expect(clocks.filter((clock) => [0, 500, 530].includes(clock))).toEqual([0, 500, 530]);
});

test("a reference that waits alone comes before those that are put behind it", () => {
  const clocks = paced([table(0), map(0), clocked(0, 0), clocked(1, 800)])
    .filter(hasClock)
    .map(clockOf);
  expect(clocks).toEqual(clocks.toSorted((a, b) => a - b));
  expect(clocks).toHaveLength(21);
});

test("tables come again in time, and every counter goes on by one", () => {
  const made = paced(seldom);
  let clock = 0;
  const times = made.flatMap((each) => {
    if (hasClock(each)) clock = clockOf(each);
    return pidOf(each) === 0 ? [clock] : [];
  });
  expect(Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? 0)))).toBeLessThanOrEqual(100);
  for (const pid of [0, mapPid, picturePid]) {
    const counters = made.filter((each) => pidOf(each) === pid && (each.readUInt8(3) & 0x10) !== 0);
    expect(counters.map((each) => each.readUInt8(3) & 15)).toEqual(counters.map((_, at) => at % 16));
  }
});

test("the packets that were there keep their order and their bytes, and a jump of the clock is left alone", () => {
  const jumping = [...seldom, clocked(8, 60_000), packet(picturePid, 9, [9])];
  const made = paced(jumping, 7).filter((each) => (each.readUInt8(3) & 0x10) !== 0 && pidOf(each) === picturePid);
  expect(made).toEqual(jumping.filter((each) => pidOf(each) === picturePid));
  const clocks = paced(jumping).filter(hasClock).map(clockOf);
  expect(clocks.slice(-2)).toEqual([530, 60_000]);
});

test("the clock of a stream runs on over the files that it is cut into, and so do the counters of its tables", () => {
  const files = [
    [table(0), map(0), clocked(0, 0), packet(picturePid, 1, [1])],
    [table(0), map(0), clocked(2, 300), packet(picturePid, 3, [3])],
  ].map((packets) => Buffer.concat(packets));
  const [first, second] = files;
  if (!first || !second) throw new Error("there are two");
  const pacer = createPacer({ clock: 40, tables: 100 });
  const parts = [
    [pacer.through(first), pacer.pause(firstClockIn(second))],
    [pacer.through(second), pacer.end()],
  ].map((each) => packetsIn(Buffer.concat(each)));
  const clocks = parts.map((each) => each.filter(hasClock).map(clockOf));
  expect(clocks[1]).toEqual([300]);
  expect(clocks[0]).toHaveLength(8);
  expect(Math.max(...(clocks[0] ?? []))).toBeLessThan(300);
  const counters = parts.flat().filter((each) => pidOf(each) === 0);
  expect(counters.map((each) => each.readUInt8(3) & 15)).toEqual(counters.map((_, at) => at % 16));
});

test("packets of an .m2ts file arrive one after the other, from each clock reference to the next", () => {
  const pacer = createPacer({ clock: 40, tables: 100 }, true);
  const timed = Buffer.concat(seldom.map((each) => Buffer.concat([Buffer.from([9, 9, 9, 9]), each])));
  const made = Buffer.concat([
    pacer.through(timed.subarray(0, 5 * 192)),
    pacer.through(timed.subarray(5 * 192)),
    pacer.end(),
  ]);
  expect(made.length % 192).toBe(0);
  const all = Array.from({ length: made.length / 192 }, (_, at) => made.subarray(at * 192, (at + 1) * 192));
  const arrivals = all.map((each) => each.readUInt32BE(0) / 27_000);
  expect(arrivals).toEqual(arrivals.toSorted((a, b) => a - b));
  for (const each of all.filter((one) => hasClock(one.subarray(4))))
    expect(Math.abs(each.readUInt32BE(0) / 27_000 - clockOf(each.subarray(4)))).toBeLessThan(1);
  expect(all.filter((each) => each[4] !== 0x47)).toEqual([]);
});
