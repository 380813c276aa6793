import { expect, test } from "vitest";
import { groupIntoSections, jobsBetween, placeAt } from "../../../../renderer/pages/jobs/sections.ts";
import type { JobGroup } from "../../../../shared/api/job-view.ts";

const groups = (["active", "held", "ended"] as const).map((group, index) => ({
  ...{ group, count: [3, 2, 90_000][index] ?? 0, states: [] },
}));

/** What stands at each place, in words. */
const placesOf = (closed: readonly JobGroup[], indexes: readonly number[]) => {
  const sections = groupIntoSections(groups, new Set(closed));
  return indexes.map((index) => {
    const place = placeAt(sections, index);
    return "heading" in place ? place.heading.group.group : place.job;
  });
};

test("each group stands below its heading", () => {
  expect(groupIntoSections(groups, new Set()).length).toBe(90_008);
  expect(placesOf([], [0, 1, 3, 4, 5, 6, 7, 8, 90_007])).toEqual(["active", 0, 2, "held", 3, 4, "ended", 5, 90_004]);
});

test("a closed group leaves its heading, and the jobs of later groups keep their numbers", () => {
  expect(groupIntoSections(groups, new Set(["held", "ended"])).length).toBe(6);
  expect(placesOf(["active", "held"], [0, 1, 2, 3])).toEqual(["active", "held", "ended", 5]);
});

test("a list without groups is only jobs", () => {
  expect(placeAt(groupIntoSections([], new Set()), 7)).toEqual({ job: 7 });
});

test("the jobs in sight are known when headings are at the edges", () => {
  expect(jobsBetween(groupIntoSections(groups, new Set()), 4, 7)).toEqual([3, 5]);
});
