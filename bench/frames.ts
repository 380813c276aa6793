import type { Page } from "playwright-core";
import { quantile } from "../coordinator/views/eta.ts";
import { cloneBefore, openBusyFarms } from "./farms/before.ts";
import { chromiumPath } from "./farms/busy-page.ts";
import { costOf, isTask, outermost, type TraceEvent, traced } from "./farms/trace.ts";
import type { Bench } from "./harness.ts";

const [frameMs, taskMs, mostRows] = [8, 50, 3 * 40];

/** How long the page of jobs takes for a frame while somebody scrolls through many of them, and the farm is busy. */
export const frames: Bench = {
  name: "frames",
  run: async ({ isQuick, pairs, say }) => {
    if (chromiumPath === undefined) {
      say("left out: there is no Chromium");
      return [];
    }
    await using farms = await openBusyFarms({ jobs: isQuick ? 5000 : 100_000, say });
    const rounds = pairs ?? (isQuick || cloneBefore === undefined ? 1 : 5);
    const found = await farms.measure(rounds, async (farm) => {
      await using opened = await farm.open();
      await opened.page.waitForTimeout(2000); // the first answers of a cold page are no scrolling
      return await scrolled(opened.page, isQuick ? 2 : 5); // before the page is closed
    });
    const p95 = ({ frames }: Scrolled) => quantile(frames, 0.95);
    for (const { now } of found) {
      say(`${now.frames.length} frames: ${p95(now).toFixed(1)} ms of script and layout at p95`);
      say(`the longest task took ${now.longest.toFixed(0)} ms; ${now.rows} rows exist at most`);
    }
    const frame = "script and layout a frame, p95";
    return [
      { name: frame, reference: `${frameMs} ms`, ratios: found.map(({ now }) => p95(now) / frameMs) },
      { name: "longest task", reference: `${taskMs} ms`, ratios: found.map(({ now }) => now.longest / taskMs) },
      { name: "rows that exist", reference: "three screens", ratios: found.map(({ now }) => now.rows / mostRows) },
      ...farms.against(found, [
        [frame, p95],
        ["longest task", ({ longest }) => longest],
      ]),
    ];
  },
};

type Scrolled = { readonly frames: number[]; readonly longest: number; readonly rows: number };

const scrolled = async (page: Page, runs: number): Promise<Scrolled> => {
  let rows = 0;
  const events = await traced(page, async () => {
    for (let run = 0; run < runs; run += 1) rows = Math.max(rows, await scrollOnce(page));
  });
  return { ...framesIn(events), rows };
};

/** Scrolls for three seconds, some rows a frame; gives the most rows that existed. */
const scrollOnce = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    const scroller = [...document.querySelectorAll("[role=rowgroup]")].at(-1);
    scroller.scrollTop = 0;
    const begun = performance.now();
    let rows = 0;
    const step = () => {
      scroller.scrollTop += 240;
      rows = Math.max(rows, scroller.querySelectorAll("[role=row]").length);
      if (performance.now() - begun > 3000) resolve(rows);
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);

/** Script, style and layout; painting is the browser's own, and here it has no graphics processor. */
const counted: ReadonlySet<string> = new Set([
  ...["FunctionCall", "EventDispatch", "FireAnimationFrame", "TimerFire", "RunMicrotasks", "EvaluateScript"],
  ...["UpdateLayoutTree", "Layout", "MinorGC", "MajorGC", "V8.GC_SCAVENGER", "V8.GC_MARK_COMPACTOR"],
]);

/** What the page's thread did of that between one frame and the next, in milliseconds of processor time. */
const framesIn = (events: readonly TraceEvent[]): { frames: number[]; longest: number } => {
  const tasks = outermost(events.filter(({ name }) => counted.has(name)));
  const begins = events.filter((event) => event.name === "FireAnimationFrame").map(({ ts }) => ts);
  const frames = begins.slice(1).map((end, at) => {
    const begin = begins[at] ?? end;
    return tasks.filter(({ ts }) => ts >= begin && ts < end).reduce((sum, task) => sum + costOf(task), 0);
  });
  return {
    frames: frames.sort((a, b) => a - b),
    longest: Math.max(0, ...events.filter(isTask).map(costOf)),
  };
};
