import { describe, expect, test } from "vitest";
import { elementKinds } from "../../shared/elements/index.ts";
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
  folder_enum: { source: { path: "/in" } },
  watchfolder: { source: { path: "/in" } },
  script: { kind: "docker", payload: { commands: [{ docker_image: { image_urn: "a/b" } }] } },
};

const performed = ["source", "source_provider", "transcode", "copy"];

test.each(elementKinds.filter((kind) => !performed.includes(kind)))(
  "a job with an element of kind %s is taken, and fails by its name",
  async (kind) => {
    const { failures } = await planned(kind, payloads[kind] ?? {});
    const message = `tc: elements of kind "${kind}" are not implemented in this version`;
    expect(failures).toEqual([{ cause: "capability", message }]);
  },
);
