import { expect, test } from "vitest";
import { alikeWarnings } from "../../../../renderer/pages/job/alike-warnings.ts";

test("warnings that say the same of several places are one, said of the first", () => {
  const depth = "10 bits become 8";
  expect(
    alikeWarnings([`version_1.video: ${depth}`, "payload.colour is not known", `version_2.video: ${depth}`, depth]),
  ).toEqual([
    { warning: `version_1.video: ${depth}`, others: 2 },
    { warning: "payload.colour is not known", others: 0 },
  ]);
});

test("a sentence before a colon is no place", () => {
  expect(alikeWarnings(["Not read: a", "Not kept: a"])).toHaveLength(2);
});
