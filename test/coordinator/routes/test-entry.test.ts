import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestCoordinator, type TestCoordinator } from "../../helpers/coordinator.ts";
import { aFolder, aSmallJob, removeFolder } from "../../helpers/farm.ts";

let folder: string;
let world: TestCoordinator;

beforeAll(async () => {
  folder = aFolder();
  world = await openTestCoordinator(folder, { entry: "test" });
});

afterAll(async () => {
  await world.coordinator.close();
  removeFolder(folder);
});

test.each([undefined, "service", "hybrik", "thirdparty"])(
  "the test entry point refuses jobs of schema %s",
  async (schema) => {
    const { status, body } = await world.api("POST", "/jobs", { body: aSmallJob({ schema }) });
    expect([status, body.error, body.details[0].path]).toEqual([400, "VALIDATION_FAILED", "schema"]);
    expect(body.message).toContain('takes jobs of schema "api_test" alone');
    expect((await world.api("GET", "/jobs/count")).body).toEqual({ count: 0 });
  },
);
