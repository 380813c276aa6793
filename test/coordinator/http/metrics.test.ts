import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import { aFolder, aSmallJob, removeFolder } from "../../helpers/farm/farm.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";

let folder: string;
let doors: TestDoors;
const metricsKey = "a-key-of-some-length";

beforeEach(async () => {
  folder = aFolder();
  doors = await openTestDoors(folder, { metricsKey });
});

afterEach(async () => {
  await doors.close();
  removeFolder(folder);
});

const read = (remoteAddress = "127.0.0.1", authorization?: string) =>
  doors.inject({ method: "GET", url: "/metrics", remoteAddress, headers: authorization ? { authorization } : {} });

test("the farm is told in numbers", async () => {
  const node = await doors.node({ slots: 1 });
  await submitJob(doors.farm, aSmallJob());
  await node.assigned();
  const { status, headers, text } = await read();
  expect([status, headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  const values = new Map(text.split("\n").map((line) => line.split(" ") as [string, string]));
  const told = ['jobs{status="active"}', 'jobs{status="failed"}', 'nodes{presence="online"}', 'tasks{state="running"}'];
  expect(told.map((name) => values.get(`mediafarm_${name}`))).toEqual(["1", "0", "1", "1"]);
  expect(values.get("mediafarm_attempts_total")).toBe("1");
  expect(values.get("mediafarm_commits_total")).toBe(String(doors.farm.commits()));
  expect(Number(values.get('mediafarm_loop_delay_seconds{quantile="0.99"}'))).toBeGreaterThanOrEqual(0);
});

test.each([
  ["this machine", "127.0.0.1", undefined, 200],
  ["this machine by IPv6", "::1", undefined, 200],
  ["this machine by both", "::ffff:127.0.0.1", undefined, 200],
  ["another one", "192.0.2.1", undefined, 401],
  ["another one with a wrong key", "192.0.2.1", "Bearer wrong", 401],
  ["another one with the key", "192.0.2.1", `Bearer ${metricsKey}`, 200],
])("%s is answered as it should", async (_, address, authorization, status) => {
  expect((await read(address, authorization)).status).toBe(status);
});
