import { describe, expect, test } from "vitest";
import { elementOf, elements } from "../../shared/elements/index.ts";
import { usePlanning } from "../helpers/planning.ts";
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

/** What its kind cannot do without. */
const payloads: Readonly<Record<string, object>> = {
  script: { kind: "docker", payload: { commands: [{ docker_image: { image_urn: "a/b" } }] } },
};

const kindsThat = (is: "isUnperformed" | "caution"): string[] =>
  elements.filter((element) => element[is]).map(({ kind }) => kind);

test.each(kindsThat("isUnperformed"))(
  "a job with an element of kind %s is taken, and fails by its name",
  async (kind) => {
    const { failures } = await planned(kind, payloads[kind] ?? {});
    const message = `tc: elements of kind "${kind}" are not implemented in this version`;
    expect(failures).toEqual([{ cause: "capability", message }]);
  },
);

test.each(kindsThat("caution"))("a job with an element of kind %s is taken with a warning, and fails", async (kind) => {
  const { failures, warnings } = await planned(kind, {});
  expect(warnings).toContain(`tc: ${elementOf(kind)?.caution}`);
  expect(failures).toEqual([
    { cause: "capability", message: expect.stringContaining(`"${kind}" need Dolby's licensed`) },
  ]);
});
