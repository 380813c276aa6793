import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { copyBytes } from "../../../agent/disk/copy-bytes.ts";
import { createSuspension } from "../../../agent/process/suspension.ts";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";
import { createTestClock, turns } from "../../helpers/clock.ts";

const mebibyte = 1024 * 1024;

test("a copy stands still with the rest of the work, goes on, and is whole", async () => {
  const folder = await aFolder();
  onTestFinished(() => folder.remove());
  const [from, to] = [join(folder.path, "from"), join(folder.path, "to")];
  const bytes = Buffer.alloc(9 * mebibyte, "media");
  await writeFile(from, bytes);
  const suspension = createSuspension({ clock: createTestClock(), signal: () => true, platform: "linux" });
  const { signal } = new AbortController();
  const positions: number[] = [];
  const onPosition = (position: number) => {
    positions.push(position);
    if (position === 5 * mebibyte) suspension.suspend();
  };
  const copying = copyBytes({ from, to, signal, pace: () => suspension.pass(signal), onPosition });
  while (!suspension.isOn()) await turns();
  await turns(20);
  while ((await stat(to)).size < 4 * mebibyte) await turns(); // a piece of so much is written beside the next one
  expect([positions.at(-1), (await stat(to)).size]).toEqual([5 * mebibyte, 4 * mebibyte]);

  suspension.resume();
  await copying;
  expect((await readFile(to)).equals(bytes)).toBe(true);
});
