import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestCoordinator, type TestCoordinator } from "../helpers/farm/coordinator.ts";
import { aFolder, removeFolder } from "../helpers/farm/farm.ts";
import { slowness } from "../helpers/loop/pace.ts";

let folder: string;
let world: TestCoordinator;

beforeEach(async () => {
  folder = aFolder();
  world = await openTestCoordinator(folder);
});

afterEach(() => removeFolder(folder));

/** Milliseconds of processor time of a usual machine. */
const burn = (ms: number): void => {
  const used = () => process.threadCpuUsage().user / 1000;
  const end = used() + ms * slowness();
  while (used() < end) JSON.stringify([...Array(1000).keys()]);
};

test.each([
  ["for very long", [800]],
  ["for too long twice", [200, 200]],
])("a coordinator that keeps its loop %s fails its test, which names the work", async (_name, times) => {
  for (const ms of times) {
    await world.coordinator.farm.timeSlice(() => burn(ms));
    await new Promise(setImmediate);
  }
  await expect(world.coordinator.close()).rejects.toThrow(
    /ms of its loop at once: .*coordinator\/kernel\/time-slice\.ts/,
  );
});

test("what a test itself does for long, and much small work in a row, is not held against it", async () => {
  burn(150);
  await new Promise(setImmediate);
  for (let nr = 0; nr < 20; nr += 1) {
    await new Promise(setImmediate);
    await world.coordinator.farm.timeSlice(() => burn(10));
  }
  await world.coordinator.close();
});
