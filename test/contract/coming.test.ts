import { describe, expect, test } from "vitest";
import { elementOf, elements } from "../../media/elements/index.ts";
import { usePlanning } from "../helpers/farm/planning.ts";
import { comingRules } from "./coming.ts";

const { planned } = usePlanning();

describe.each(Object.entries(comingRules))("%s", (_id, { feature, asks, told, said }) => {
  test(`waits for ${feature}: the job is taken, and a ${told} says so`, async () => {
    const { failures, warnings } = await planned(asks.kind, asks.payload, asks.more);
    if (told === "warning") {
      expect([failures, warnings]).toEqual([[], [expect.stringContaining(said)]]);
    } else {
      expect(failures).toEqual([{ cause: "capability", message: expect.stringContaining(said) }]);
    }
  });
});

const cautious = elements.filter(({ caution }) => caution !== undefined).map(({ kind }) => kind);

test.each(cautious)("a job with an element of kind %s is taken with a warning, and fails", async (kind) => {
  const { failures, warnings } = await planned(kind, {});
  expect(warnings).toContain(`tc: ${elementOf(kind)?.caution}`);
  expect(failures).toEqual([
    { cause: "capability", message: expect.stringContaining(`"${kind}" need Dolby's licensed`) },
  ]);
});
