import { expect, test } from "vitest";
import { momentsOf } from "../../../media/preview/still-moments.ts";
import { ratio } from "../../../shared/basics/rational.ts";

const film = { steps: 500, rate: ratio(25) };

test("moments lie in the middle of equal parts of a film", () => {
  expect(momentsOf(film, film, 5)).toEqual([
    { step: 50, seconds: 2 },
    { step: 150, seconds: 6 },
    { step: 250, seconds: 10 },
    { step: 350, seconds: 14 },
    { step: 450, seconds: 18 },
  ]);
  expect(momentsOf({ ...film, steps: 1 }, { ...film, steps: 1 }, 5)).toEqual([{ step: 0, seconds: 0 }]);
});

test("a source of another rate shows the same seconds, and never more frames than it has", () => {
  const source = { steps: 1000, rate: ratio(50) };
  expect(momentsOf(source, film, 5)?.map(({ step }) => step)).toEqual([100, 300, 500, 700, 900]);
  expect(momentsOf({ steps: 440, rate: ratio(24) }, { steps: 460, rate: ratio(25) }, 1)?.[0]).toEqual({
    ...{ step: 220, seconds: 9.2 },
  });
});

test("a source that was cut shows none", () => {
  expect(momentsOf({ ...film, steps: 800 }, film, 5)).toBeUndefined();
});
