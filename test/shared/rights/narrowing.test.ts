import { expect, test } from "vitest";
import { narrowedByGroups } from "../../../shared/people/identity.ts";
import { breadthOf, isWithin, narrowedOf, withinOf } from "../../../shared/rights/narrowing.ts";
import { apiRights, uiRights } from "../../../shared/rights/rights.ts";

const only = (tags: string[], groups: string[] = []) => ({ tags, groups });

test("an owner is never narrowed, and nothing narrows nobody", () => {
  expect(narrowedOf("owner", only(["a"]))).toBeUndefined();
  expect(narrowedOf("operator", only([]))).toBeUndefined();
  expect(narrowedOf("operator", only(["a"], ["g"]))).toEqual(only(["a"], ["g"]));
  expect(narrowedOf("viewer", only([], ["g"]))).toEqual(only([], ["g"]));
});

test("a compute group stands for the tags that it provides now; one that is gone stands for none", () => {
  const within = withinOf(only(["a"], ["studio", "gone"]), (group) => (group === "studio" ? ["b", "c"] : undefined));
  expect(within).toEqual(new Set(["a", "b", "c"]));
  expect(withinOf(only([], ["gone"]), () => undefined)).toEqual(new Set());
  expect(withinOf(undefined, () => ["b"])).toBe("all");
});

test("one tag is enough, and what has none is outside", () => {
  const within = new Set(["a", "b"]);
  expect([["b", "x"], ["x"], [], ["A"]].map((tags) => isWithin(within, tags))).toEqual([true, false, false, false]);
  expect(isWithin(new Set(), ["a"])).toBe(false);
  expect(isWithin("all", [])).toBe(true);
});

test("who is narrowed reads everything, and changes what carries tags and their own session alone", () => {
  const all = Object.entries({ ...apiRights, ...uiRights });
  const named = (wanted: string) => all.flatMap(([name, right]) => (breadthOf(right) === wanted ? [name] : []));
  expect(all.filter(([, right]) => right.action === "read" && breadthOf(right) !== "all")).toEqual([]);
  expect(named("tagged").sort()).toEqual(
    [
      ...["changeJobs", "createJob", "deleteJob", "deleteJobs", "pauseJob", "resumeJob", "retryJob", "retryTask"],
      ...["revokeNode", "stopJob", "undoJobs", "updateJob", "updateNode"],
    ].sort(),
  );
  const forOperators = named("nothing").filter(
    (name) => all.find(([each]) => each === name)?.[1].person === "operator",
  );
  expect(forOperators.sort()).toEqual(
    [
      ...["acknowledge", "changeLimits", "deleteComputeGroup", "deletePreset", "deleteView", "makeBackup"],
      ...["putComputeGroup", "putPreset", "putView", "sendWebhookMessages", "setLimits", "testWebhook"],
    ].sort(),
  );
});

test("a provider's groups narrow together; where it names some, whoever is in none of them is not narrowed", () => {
  const narrowed = [
    { group: "dailies", only_tags: ["a"], only_groups: [] },
    { group: "grading", only_tags: ["b"], only_groups: ["Studio A"] },
  ];
  expect(narrowedByGroups(["staff"], [])).toBeUndefined();
  expect(narrowedByGroups(["staff"], narrowed)).toEqual(only([]));
  expect(narrowedByGroups(["dailies", "grading"], narrowed)).toEqual(only(["a", "b"], ["Studio A"]));
  expect(narrowedByGroups(["Dailies"], narrowed)).toEqual(only([]));
});
