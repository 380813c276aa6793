import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import { aFolder, removeFolder } from "../../helpers/farm/farm.ts";

let folder: string;
let world: TestDoors;
beforeEach(async () => {
  folder = aFolder();
  world = await openTestDoors(folder, { doors: { strangerRequests: 5 } });
});
afterEach(async () => {
  await world.close();
  removeFolder(folder);
});

/** How many of so many requests of one stranger are answered. */
const ask = (remoteAddress: string, amount: number) => {
  const answered = { count: 0 };
  for (let nr = 0; nr < amount; nr += 1)
    void world
      .inject({ method: "GET", url: nr % 2 === 0 ? "/healthz" : "/nowhere", remoteAddress })
      .then(() => (answered.count += 1));
  return answered;
};
const settle = async (ms = 0): Promise<void> => {
  for (let nr = 0; nr < 20; nr += 1) await new Promise(setImmediate);
  await world.clock.advance(ms);
  for (let nr = 0; nr < 20; nr += 1) await new Promise(setImmediate);
};

test("strangers who are alone are not held back", async () => {
  const answered = ask("192.0.2.1", 50);
  await settle();
  expect(answered.count).toBe(50);
});

test("while a program is at work, strangers together have so many answers a second, address by address", async () => {
  const headers = await world.enterAsProgram();
  expect((await world.inject({ method: "GET", url: "/v1/jobs/count", headers })).status).toBe(200);
  const [loud, quiet] = [ask("192.0.2.1", 50), ask("192.0.2.2", 2)];
  await settle();
  expect(loud.count + quiet.count).toBe(5);
  await settle(800); // four more: two of each
  expect([quiet.count, loud.count]).toEqual([2, 7]);
  await settle(10_000);
  expect(loud.count).toBe(50);
});

test("a program is answered at once, however many strangers wait", async () => {
  const headers = await world.enterAsProgram();
  const count = () => world.inject({ method: "GET", url: "/v1/jobs/count", headers });
  await count();
  const answered = ask("192.0.2.1", 50);
  await settle();
  expect((await count()).status).toBe(200);
  expect(answered.count).toBe(5);
  await settle(10_000);
});
