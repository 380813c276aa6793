import type { CDPSession } from "playwright-core";
import { chromiumPath, openBusyFarm } from "./farms/busy-page.ts";
import type { Bench } from "./harness.ts";

/** What the page of jobs holds after half an hour of a busy farm, against what it held after its first minutes. */
export const pageMemory: Bench = {
  name: "page-memory",
  run: async ({ isQuick, say }) => {
    if (chromiumPath === undefined) {
      say("left out: there is no Chromium");
      return [];
    }
    const [jobs, minutes] = isQuick ? [5000, 6] : [100_000, 30];
    // The page's own clock: half an hour of timers and updates passes as fast as the page can work it off.
    await using farm = await openBusyFarm({ jobs, say });
    await using opened = await farm.open((page) => page.clock.install());
    const { page } = opened;
    const session = await page.context().newCDPSession(page);
    const pass = async (span: number) => {
      for (let minute = 0; minute < span; minute += 1) await page.clock.runFor(60_000);
    };
    await pass(2);
    const before = await heapOf(session);
    await pass(minutes);
    const after = await heapOf(session);
    say(`${megabytes(before)} MB of heap after 2 minutes, ${megabytes(after)} MB ${minutes} minutes later`);
    return [{ name: `heap after ${minutes} minutes`, reference: "heap after 2", ratios: [after / before] }];
  },
};

/** What is left once all garbage is collected. */
const heapOf = async (session: CDPSession): Promise<number> => {
  for (let time = 0; time < 3; time += 1) await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize;
};

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
