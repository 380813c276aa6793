import type { Page } from "playwright-core";
import { cloneBefore, openBusyFarms } from "./farms/before.ts";
import { chromiumPath } from "./farms/busy-page.ts";
import { costOf, isTask, outermost, traced } from "./farms/trace.ts";
import type { Bench } from "./harness.ts";

/** What the page of jobs costs somebody who opens it for the first time: the browser has kept nothing of it. */
export const firstLoad: Bench = {
  name: "first-load",
  run: async ({ isQuick, pairs, say }) => {
    if (chromiumPath === undefined) {
      say("left out: there is no Chromium");
      return [];
    }
    await using farms = await openBusyFarms({ jobs: isQuick ? 5000 : 100_000, say });
    const rounds = pairs ?? (isQuick ? 1 : 9);
    const found = await farms.measure(rounds, async (farm) => {
      await using blank = await farm.blank();
      return await loaded(blank.page, blank.show); // before the page is closed
    });
    for (const { now } of found)
      say(
        `${now.wall.toFixed(0)} ms until jobs are shown, ${now.cpu.toFixed(0)} ms of the page's thread, ${now.kb} kB`,
      );
    if (cloneBefore === undefined) say("held against nothing: BENCH_BEFORE names no clone");
    return farms.against(found, [
      ["until jobs are shown, wall", ({ wall }) => wall],
      ["until jobs are shown, processor time of the page's thread", ({ cpu }) => cpu],
      ["bytes that are sent until then", ({ kb }) => kb],
    ]);
  },
};

const loaded = async (page: Page, show: () => Promise<void>) => {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  let [wall, kb] = [0, 0];
  const events = await traced(page, async () => {
    const begun = performance.now();
    await show();
    wall = performance.now() - begun;
    kb = Math.round(bytes / 1000); // what is read ahead afterwards is waited for by nobody
  });
  const cpu = outermost(events.filter(isTask)).reduce((sum, task) => sum + costOf(task), 0);
  return { wall, cpu, kb };
};
