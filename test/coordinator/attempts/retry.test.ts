import { expect, test } from "vitest";
import { retryDelayMs } from "../../../coordinator/attempts/retry.ts";
import { causeNames, causes } from "../../../shared/model/failure.ts";

const longestMs = 600_000;

test("a configured delay is kept to the millisecond where the cause adds nothing", () => {
  const added = causeNames.filter((cause) => causes[cause].backOff === 0);
  expect(added.map((cause) => retryDelayMs({ delaySec: 45, cause, retries: 4, random: 0.7, longestMs }))).toEqual(
    added.map(() => 45_000),
  );
});

test("what a cause adds doubles with each retry, up to ten minutes", () => {
  const delays = [0, 1, 2, 3, 10, 500].map((retries) =>
    retryDelayMs({ delaySec: 5, cause: "resources", retries, random: 0, longestMs }),
  );
  expect(delays).toEqual([35_000, 65_000, 125_000, 245_000, 605_000, 605_000]);
});

test("half of it is left to chance, so that tasks that failed together do not come back together", () => {
  const delays = [0, 0.25, 0.999_999].map((random) =>
    retryDelayMs({ delaySec: 0, cause: "storage", retries: 1, random, longestMs }),
  );
  expect(delays).toEqual([20_000, 17_500, 10_000]);
});
