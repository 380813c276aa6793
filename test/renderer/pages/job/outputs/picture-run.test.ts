import { expect, test } from "vitest";
import { pictureRun, spreadPictures } from "../../../../../renderer/pages/job/outputs/picture-run.ts";
import type { JobOutput } from "../../../../../shared/api/job-outputs.ts";

const anOutput = (uri: string, task_id = "1"): JobOutput => ({
  ...{ uri, task_id, size: 1, modified: null, checksum: null, element_uid: "t", position: 0, version: "1" },
  ...{ facts: null, summary: "" },
});
const numbersOf = (outputs: readonly JobOutput[]) => pictureRun(outputs).map(({ number }) => number);

test("numbered pictures of one task are one run, in the order of their numbers", () => {
  expect(numbersOf(["010", "009", "100"].map((nr) => anOutput(`/out/take2/shot_${nr}.png`)))).toEqual([9, 10, 100]);
});

test("films, other tasks' pictures and single pictures are no part of a run", () => {
  const pair = [anOutput("/out/a_1.jpg"), anOutput("/out/a_2.jpg")];
  expect(
    numbersOf([anOutput("/out/a_3.mp4"), anOutput("/out/a_4.jpg", "2"), anOutput("/out/b_5.jpg"), ...pair]),
  ).toEqual([1, 2]);
  expect(numbersOf([anOutput("/out/poster_1.jpg"), anOutput("/out/x.jpg")])).toEqual([]);
});

test("pictures of a strip come from the middle of equal parts", () => {
  expect(spreadPictures([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 5)).toEqual([2, 4, 6, 8, 10]);
  expect(spreadPictures([1, 2], 5)).toEqual([1, 2]);
  expect(spreadPictures([], 5)).toEqual([]);
});
