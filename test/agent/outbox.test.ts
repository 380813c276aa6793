import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { silentLog } from "../../agent/log.ts";
import { openOutbox } from "../../agent/outbox.ts";
import type { Report } from "../../shared/protocol.ts";
import { aFolder, fenceOf } from "../helpers/agent-fixture.ts";

let folder: Awaited<ReturnType<typeof aFolder>>;
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
  const outbox = await openOutbox(folder.path, silentLog);
  for (const counter of [30, 4, 100]) await outbox.put(aReport(counter));
  await outbox.remove(fenceOf(4));
  const again = await openOutbox(folder.path, silentLog);
  await again.put(aReport(1));
  expect(again.waiting()).toEqual([aReport(30), aReport(100), aReport(1)]);
});

test("a damaged report is left out and said so, and does not hide the others", async () => {
  const outbox = await openOutbox(folder.path, silentLog);
  await outbox.put(aReport(1));
  await writeFile(join(folder.path, "1.2.json"), '{"sequence":2,"rep');
  const said: string[] = [];
  const again = await openOutbox(folder.path, { ...silentLog, error: (message) => void said.push(message) });
  expect(again.waiting()).toEqual([aReport(1)]);
  expect(said).toEqual(["A report on disk is damaged and is left out"]);
});

test("a report that the disk does not take is still handed in from memory", async () => {
  const outbox = await openOutbox(folder.path, silentLog);
  await folder.remove();
  await outbox.put(aReport(1));
  expect(outbox.waiting()).toEqual([aReport(1)]);
});
