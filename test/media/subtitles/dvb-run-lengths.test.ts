import { expect, test } from "vitest";
import { bitmapOf } from "../../../media/subtitles/dvb/bitmap.ts";
import { printPages, readPages } from "../../../media/subtitles/dvb/pages.ts";
import { type Depth, lineBlock } from "../../../media/subtitles/dvb/run-lengths.ts";
import { randomFrom } from "../../helpers/random/random.ts";

/** Reads a block as ETSI EN 300 743, 7.2.5.2 prints its syntax. */
const readLine = (block: readonly number[], depth: Depth): number[] => {
  expect([block[0], block.at(-1)]).toEqual([{ 2: 0x10, 4: 0x11, 8: 0x12 }[depth], 0xf0]);
  const bits = block.slice(1, -1).flatMap((byte) => [...byte.toString(2).padStart(8, "0")]);
  let at = 0;
  const next = (count: number): number => {
    at += count;
    return Number.parseInt(bits.slice(at - count, at).join(""), 2);
  };
  const pixels: number[] = [];
  const run = (length: number, color: number): void => void pixels.push(...Array<number>(length).fill(color));
  for (;;) {
    const color = next(depth);
    if (color !== 0) run(1, color);
    else if (!readers[depth](next, run)) break;
  }
  expect(bits.length - at).toBeLessThan(8);
  return pixels;
};

type Next = (count: number) => number;
type Run = (length: number, color: number) => void;

/** What follows the zero; false at the end of the string. */
const readers: Readonly<Record<Depth, (next: Next, run: Run) => boolean>> = {
  2: (next, run) => {
    const isRun = next(1) === 1;
    if (isRun) run(next(3) + 3, next(2));
    const isOne = !isRun && next(1) === 1;
    if (isOne) run(1, 0);
    if (isRun || isOne) return true;
    const kind = next(2);
    if (kind === 1) run(2, 0);
    if (kind === 2) run(next(4) + 12, next(2));
    if (kind === 3) run(next(8) + 29, next(2));
    return kind > 0;
  },
  4: (next, run) => {
    const isClear = next(1) === 0;
    const length = isClear ? next(3) : 0;
    if (length > 0) run(length + 2, 0);
    if (isClear) return length > 0;
    const isShort = next(1) === 0;
    if (isShort) run(next(2) + 4, next(4));
    const kind = isShort ? -1 : next(2);
    if (kind === 0 || kind === 1) run(kind + 1, 0);
    if (kind === 2) run(next(4) + 9, next(4));
    if (kind === 3) run(next(8) + 25, next(4));
    return true;
  },
  8: (next, run) => {
    const isColored = next(1) === 1;
    const length = next(7);
    if (!isColored && length === 0) return false;
    run(length, isColored ? next(8) : 0);
    return true;
  },
};

test.each([2, 4, 8] as const)("lines of %d bits are read back as they were", (depth) => {
  const random = randomFrom(depth);
  for (let nr = 0; nr < 300; nr += 1) {
    const line: number[] = [];
    while (line.length < 700) {
      const color = random.chance(0.3) ? 0 : random.integer(0, 2 ** depth - 1);
      line.push(...Array<number>(random.integer(1, random.chance(0.5) ? 5 : 400)).fill(color));
    }
    expect(readLine(lineBlock(Uint8Array.from(line), depth), depth)).toEqual(line);
  }
});

test("a page's bitmap is the part that is seen, in few colours, no longer mixed with black", () => {
  const rgba = new Uint8Array(4 * 8 * 4);
  rgba.set([255, 255, 255, 255], 4 * (8 + 2));
  rgba.set([128, 128, 128, 128], 4 * (8 + 3));
  rgba.set([0, 0, 0, 5], 4 * (24 + 7));
  expect(bitmapOf({ width: 8, height: 4, rgba }, 3)).toEqual({
    ...{ left: 2, top: 1, width: 2, height: 1, pixels: Uint8Array.from([1, 2]) },
    colors: [
      [255, 255, 255, 255],
      [255, 255, 255, 128],
    ],
  });
  expect(bitmapOf({ width: 8, height: 4, rgba: new Uint8Array(4 * 8 * 4) }, 3)).toBeUndefined();
});

test("texts that overlap are a page of their own while they do", () => {
  const line = (text: string) => [[{ text }]];
  const script = printPages([
    { from: 1000, to: 3000, lines: line("long") },
    { from: 2000, to: 2500, lines: line("short") },
    { from: 4000, to: 5000, lines: line("page 1 2") },
  ]);
  expect(readPages(script)).toEqual([
    { from: 1000, to: 2000 },
    { from: 2000, to: 2500 },
    { from: 2500, to: 3000 },
    { from: 4000, to: 5000 },
  ]);
  expect(script.match(/^Dialogue.*$/gm)?.map((each) => each.slice(12, 22))).toEqual([
    "0:00:00.00",
    "0:00:01.00",
    "0:00:01.00",
    "0:00:02.00",
    "0:00:03.00",
  ]);
});
