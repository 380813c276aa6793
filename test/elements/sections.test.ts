import { describe, expect, test } from "vitest";
import { type Grid, sectionsOf } from "../../shared/elements/transcode/sections/cuts.ts";
import { ratio, toFraction, toNumber } from "../../shared/rational.ts";
import { isSectionFile, sectionFileName } from "../../shared/section-files.ts";

const film = ratio(24_000, 1001);
const pal = ratio(25);
const starts = (grids: readonly Grid[], seconds: number, total: number) =>
  sectionsOf(grids, seconds, ratio(total))?.map(({ from }) => toFraction(from));

describe("sections of a timeline", () => {
  test("begin with the frame nearest to each multiple of their length", () => {
    expect(starts([{ rate: pal, frames: 1 }], 3, 10)).toEqual(["0", "3", "6", "9"]);
    expect(starts([{ rate: film, frames: 1 }], 2, 5)).toEqual(["0", "2002/1000", "4004/1000"].map(plain));
  });

  test("begin where every target has a key frame", () => {
    const grids = [{ rate: pal, frames: 50 }, ...[{ rate: ratio(50), frames: 75 }]];
    expect(starts(grids, 5, 20)).toEqual(["0", "6", "12", "18"]);
  });

  test("begin with the first frame of a segment, where segments are no whole number of frames", () => {
    const found = sectionsOf([{ rate: film, frames: 1, seconds: 2 }], 4, ratio(9)) ?? [];
    const frames = found.map(({ from }) => Math.round(toNumber(from) * toNumber(film)));
    expect(frames).toEqual([0, 96, 192]);
    expect(frames.map((frame) => (frame * 1001) / 24_000 >= 0)).toEqual([true, true, true]);
  });

  test("are none where targets have no key frames in common", () => {
    expect(
      starts(
        [
          { rate: film, frames: 1, seconds: 2 },
          { rate: pal, frames: 1 },
        ],
        4,
        20,
      ),
    ).toBeUndefined();
  });

  test("leave no short rest, and are one for what is short", () => {
    expect(starts([{ rate: pal, frames: 1 }], 10, 20)).toEqual(["0", "10"]);
    expect(sectionsOf([{ rate: pal, frames: 1 }], 10, ratio(201, 10))?.length).toBe(2);
    expect(starts([{ rate: pal, frames: 1 }], 60, 10)).toEqual(["0"]);
  });
});

const plain = (fraction: string): string => {
  const [num, den] = fraction.split("/").map(Number);
  return toFraction(ratio(num ?? 0, den));
};

test("files of sections are told from all others by their names", () => {
  const name = sectionFileName({ name: "a film.mp4", uid: "target 1/x", number: 3, total: 12, jobId: 77 });
  expect(name).toBe("a film.mp4__hyseg_003_of_012_77_target_1_x");
  expect([name, "a film.mp4", "x__hyseg_1_of_2", "__hyseg_003_of_012_7_/etc"].map(isSectionFile)).toEqual([
    ...[true, false, false, false],
  ]);
});
