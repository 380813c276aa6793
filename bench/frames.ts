import type { CDPSession, Page } from "playwright-core";
import { quantile } from "../coordinator/views/eta.ts";
import { chromiumPath, openBusyPage } from "./farms/busy-page.ts";
import type { Bench } from "./harness.ts";

const [frameMs, taskMs, mostRows] = [8, 50, 3 * 40];

/** How long the page of jobs takes for a frame while somebody scrolls through many of them, and the farm is busy. */
export const frames: Bench = {
  name: "frames",
  run: async ({ isQuick, say }) => {
    if (chromiumPath === undefined) {
      say("left out: there is no Chromium");
      return [];
    }
    await using opened = await openBusyPage({ jobs: isQuick ? 5000 : 100_000, say });
    const { page } = opened;
    await page.waitForTimeout(2000); // the first answers of a cold page are no scrolling
    const found = await scrolled(page, isQuick ? 2 : 5);
    const p95 = quantile(found.frames, 0.95);
    say(`${found.frames.length} frames: ${p95.toFixed(1)} ms of script and layout at p95`);
    say(`the longest task took ${found.longest.toFixed(0)} ms; ${found.rows} rows exist at most`);
    return [
      { name: "script and layout a frame, p95", reference: `${frameMs} ms`, ratios: [p95 / frameMs] },
      { name: "longest task", reference: `${taskMs} ms`, ratios: [found.longest / taskMs] },
      { name: "rows that exist", reference: "three screens", ratios: [found.rows / mostRows] },
    ];
  },
};

type Event = {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
  /** Processor time in microseconds: what other programs took meanwhile is not the page's. */
  readonly tdur?: number;
  readonly dur?: number;
  readonly pid: number;
  readonly tid: number;
};

const scrolled = async (page: Page, runs: number) => {
  const session = await page.context().newCDPSession(page);
  let rows = 0;
  const events: Event[] = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    events.push(...(value as unknown as Event[])); // Chromium's own form of a trace
  });
  await session.send("Tracing.start", {
    categories: "devtools.timeline,disabled-by-default-devtools.timeline,toplevel",
  });
  for (let run = 0; run < runs; run += 1) rows = Math.max(rows, await scrollOnce(page));
  await ended(session);
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

const ended = (session: CDPSession): Promise<void> =>
  new Promise((resolve) => {
    session.once("Tracing.tracingComplete", () => resolve());
    void session.send("Tracing.end");
  });

/** Script, style and layout; painting is the browser's own, and here it has no graphics processor. */
const counted: ReadonlySet<string> = new Set([
  ...["FunctionCall", "EventDispatch", "FireAnimationFrame", "TimerFire", "RunMicrotasks", "EvaluateScript"],
  ...["UpdateLayoutTree", "Layout", "MinorGC", "MajorGC", "V8.GC_SCAVENGER", "V8.GC_MARK_COMPACTOR"],
]);

/** What the page's thread did of that between one frame and the next, in milliseconds of processor time. */
const framesIn = (events: readonly Event[]): { frames: number[]; longest: number } => {
  const main = events.find(({ name }) => name === "FireAnimationFrame");
  const own = events
    .filter(({ tid, pid, ph }) => tid === main?.tid && pid === main.pid && ph === "X")
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const tasks = outermost(own.filter(({ name }) => counted.has(name)));
  const begins = own.filter((event) => event.name === "FireAnimationFrame").map(({ ts }) => ts);
  const frames = begins.slice(1).map((end, at) => {
    const begin = begins[at] ?? end;
    return tasks.filter(({ ts }) => ts >= begin && ts < end).reduce((sum, task) => sum + costOf(task), 0);
  });
  const whole = own.filter(({ name }) => name.endsWith("RunTask"));
  return { frames: frames.sort((a, b) => a - b), longest: Math.max(0, ...whole.map(costOf)) };
};

/** They lie in one another: what is within another is counted there. */
const outermost = (sorted: readonly Event[]): Event[] => {
  let end = 0;
  return sorted.filter(({ ts, dur = 0 }) => {
    const isInner = ts < end;
    end = Math.max(end, ts + dur);
    return !isInner;
  });
};

const costOf = ({ tdur, dur = 0 }: Event): number => (tdur ?? dur) / 1000;
