import { describe, expect, test } from "vitest";
import { submissionNameMs } from "../../../coordinator/jobs/idempotency.ts";
import { openTestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aFolder, aSmallJob, openTestFarm, removeFolder } from "../../helpers/farm/farm.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

describe("a job that is submitted with an Idempotency-Key", () => {
  const world = aWorldPerTest({
    // A day passes here: not a second at a time.
    open: (folder) => openTestCoordinator(folder, { tickMs: 60_000 }),
    close: ({ coordinator }) => coordinator.close(),
  });

  const submit = async (key: string | undefined, body: object = aSmallJob()) => {
    const answer = await world().api("POST", "/jobs", { body, headers: { "idempotency-key": key } });
    return [answer.status, answer.status === 200 ? answer.body : answer.body.error];
  };
  const count = async () => (await world().api("GET", "/jobs/count")).body.count;

  test("is made once: the same key and body answer with the first one's id", async () => {
    expect(await submit("night-1")).toEqual([200, { id: "1" }]);
    expect(await submit("night-1")).toEqual([200, { id: "1" }]);
    expect(await count()).toBe(1);
  });

  test("is made anew with another key, and without one", async () => {
    const answers = [await submit("a"), await submit("b"), await submit(undefined), await submit(undefined)];
    expect(answers.map(([, body]) => body.id)).toEqual(["1", "2", "3", "4"]);
  });

  test("is refused where the key named another body, in words that name both", async () => {
    await submit("night-1");
    const { status, body } = await world().api("POST", "/jobs", {
      body: aSmallJob({ priority: 7 }),
      headers: { "idempotency-key": "night-1" },
    });
    const message = "Idempotency-Key night-1 was used for another job (1): its body differs from this one";
    expect([status, body]).toEqual([
      422,
      {
        success: false,
        error: "IDEMPOTENCY_KEY_REUSED",
        message,
        details: [{ path: "headers.idempotency-key", message }],
      },
    ]);
    expect(await count()).toBe(1);
  });

  test("is made once of many that come at the same moment", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit("rush")));
    expect(answers).toEqual(Array.from({ length: 20 }, () => [200, { id: "1" }]));
    expect(await count()).toBe(1);
  });

  test("of two bodies that come with one key at the same moment, one is made and one refused", async () => {
    const answers = await Promise.all([submit("rush"), submit("rush", aSmallJob({ name: "the other" }))]);
    expect(answers.map(([status]) => status).sort()).toEqual([200, 422]);
    expect(await count()).toBe(1);
  });

  test("is not made again after it was deleted: a late repetition gets its id and nothing more", async () => {
    await submit("night-1");
    await world().api("DELETE", "/jobs/1");
    expect(await submit("night-1")).toEqual([200, { id: "1" }]);
    expect(await count()).toBe(0);
  });

  test("leaves its key free where it was refused", async () => {
    expect(await submit("night-1", { name: "", payload: {} })).toEqual([400, "VALIDATION_FAILED"]);
    expect(await submit("night-1")).toEqual([200, { id: "1" }]);
  });

  test("keeps its key for a day, and not longer", async () => {
    await submit("night-1");
    await world().clock.advance(submissionNameMs - 1000);
    const token = await world().logIn();
    const again = (body: object) =>
      world().ask("POST", "/v1/jobs", {
        body,
        headers: { "x-service-sapiauth": token, "idempotency-key": "night-1" },
      });
    expect((await again(aSmallJob())).body).toEqual({ id: "1" });
    await world().clock.advance(1001);
    expect((await again(aSmallJob({ priority: 9 }))).body).toEqual({ id: "2" });
  });

  test.each([["with spaces"], ["é"], [""], ["x".repeat(256)]])("is refused where the key is %j", async (key) => {
    const { status, body } = await world().api("POST", "/jobs", {
      body: aSmallJob(),
      headers: { "idempotency-key": key },
    });
    expect([status, body.error, body.details]).toEqual([
      400,
      "VALIDATION_FAILED",
      [
        {
          path: "headers.idempotency-key",
          message: expect.stringMatching(/^must be 1 to 255 visible ASCII characters/),
        },
      ],
    ]);
  });

  test("takes 255 characters as a key", async () => {
    expect(await submit("x".repeat(255))).toEqual([200, { id: "1" }]);
  });
});

test("keys outlive a restart, and belong to who used them", async () => {
  const folder = aFolder();
  const first = await openTestFarm(folder);
  const name = { who: "api user 1", key: "night-1" };
  expect(await submitJob(first.farm, aSmallJob(), name)).toBe(1);
  await first.close();
  const second = await openTestFarm(folder);
  expect(await submitJob(second.farm, aSmallJob(), name)).toBe(1);
  expect(await submitJob(second.farm, aSmallJob(), { ...name, who: "api user 2" })).toBe(2);
  await second.close();
  removeFolder(folder);
});
