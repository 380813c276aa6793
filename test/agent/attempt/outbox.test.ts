import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openOutbox } from "../../../agent/attempt/outbox.ts";
import { silentLog } from "../../../agent/log.ts";
import type { Report } from "../../../shared/protocol/messages.ts";
import { aFolder, fenceOf } from "../../helpers/agent/agent-fixture.ts";
import { createTestClock } from "../../helpers/clock.ts";

const clock = createTestClock();
let folder: Awaited<ReturnType<typeof aFolder>>;
const opened = (log = silentLog) => openOutbox({ folder: folder.path, log, clock });
beforeEach(async () => {
  folder = await aFolder();
});
afterEach(() => folder.remove());

const aReport = (counter: number): Report => ({
  fence: fenceOf(counter),
  taskId: counter,
  outcome: { outcome: "failed", failure: { cause: "media", message: "broken" } },
  stats: { wallMs: 1 },
  log: "",
});

test("reports are found again after a restart in the order in which they were written", async () => {
  const outbox = await opened();
  for (const counter of [30, 4, 100]) await outbox.put(aReport(counter));
  await outbox.keep();
  await outbox.remove(fenceOf(4));
  const again = await opened();
  await again.put(aReport(1));
  expect(again.waiting()).toEqual([aReport(30), aReport(100), aReport(1)]);
});

test("what is half written is said and removed, and does not hide the others", async () => {
  const outbox = await opened();
  await outbox.put(aReport(1));
  await outbox.keep();
  await writeFile(join(folder.path, "1.2.json"), '{"sequence":2,"rep');
  await writeFile(join(folder.path, "1.3.json.new"), "");
  const said: unknown[] = [];
  const again = await opened({ ...silentLog, error: (_, more) => void said.push(more) });
  expect(again.waiting()).toEqual([aReport(1)]);
  expect(said).toEqual(["1.2.json", "1.3.json.new"].map((name) => ({ file: join(folder.path, name) })));
  expect(await readdir(folder.path)).toEqual(["1.1.json"]);
});

test("a report that the disk does not take is still handed in from memory", async () => {
  const outbox = await opened();
  await folder.remove();
  await outbox.put(aReport(1));
  await outbox.keep();
  expect(outbox.waiting()).toEqual([aReport(1)]);
});

const found: Report = {
  fence: fenceOf(2),
  taskId: 2,
  outcome: { outcome: "published", published: { outputs: {}, found: {} } },
  stats: { wallMs: 1 },
  log: "",
};

test("a report of facts alone is written only where it is not taken at once", async () => {
  const outbox = await opened();
  await outbox.put(found);
  await outbox.remove(found.fence);
  await outbox.put(found);
  expect(await readdir(folder.path)).toEqual([]);
  await clock.advance(1000);
  await outbox.keep();
  expect(await readdir(folder.path)).toEqual(["1.2.json"]);
  await outbox.remove(found.fence);
  expect(await readdir(folder.path)).toEqual([]);
});

test("a report that is taken while it is written leaves nothing on disk", async () => {
  const outbox = await opened();
  const written = outbox.put(aReport(1));
  await Promise.all([written, outbox.remove(fenceOf(1))]);
  expect(await readdir(folder.path)).toEqual([]);
});
