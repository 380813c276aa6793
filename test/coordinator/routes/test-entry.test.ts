import { expect, test } from "vitest";
import { openTestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aSmallJob } from "../../helpers/farm/farm.ts";
import { aWorldPerFile } from "../../helpers/farm/worlds.ts";

const world = aWorldPerFile({
  open: (folder) => openTestCoordinator(folder, { entry: "test" }),
  close: ({ coordinator }) => coordinator.close(),
});

test.each([undefined, "service", "hybrik", "thirdparty"])(
  "the test entry point refuses jobs of schema %s",
  async (schema) => {
    const { status, body } = await world().api("POST", "/jobs", { body: aSmallJob({ schema }) });
    expect([status, body.error, body.details[0].path]).toEqual([400, "VALIDATION_FAILED", "schema"]);
    expect(body.message).toContain('accepts only jobs of schema "api_test"');
    expect((await world().api("GET", "/jobs/count")).body).toEqual({ count: 0 });
  },
);
