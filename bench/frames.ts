import { existsSync } from "node:fs";
import { type CDPSession, chromium, type Page } from "playwright-core";
import { quantile } from "../shared/eta.ts";
import type { Node } from "../shared/node.ts";
import { startCoordinator } from "./coordinator.ts";
import { fillJobs } from "./fill.ts";
import type { Bench } from "./harness.ts";
import { scratchFolder } from "./scratch.ts";

const chromiumPath = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"].find((path) => path && existsSync(path));
const password = "a password of the bench";
const [frameMs, taskMs, mostRows] = [8, 50, 3 * 40];

/** How long the page of jobs takes for a frame while somebody scrolls through many of them, and the farm is busy. */
export const frames: Bench = {
  name: "frames",
  run: async ({ isQuick, say }) => {
    if (chromiumPath === undefined) {
      say("left out: there is no Chromium");
      return [];
    }
    const count = isQuick ? 5000 : 100_000;
    using scratch = scratchFolder();
    await using browser = await chromium.launch({
      executablePath: chromiumPath,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
    });
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    const first = await startCoordinator(scratch.path);
    await makeOwner(page, first.firstSignIn);
    await first[Symbol.asyncDispose]();
    say(`filling in ${count} jobs`);
    fillJobs(scratch.path, count);
    await using farm = await startCoordinator(scratch.path, first.secrets);
    await makeBusy(page, count);
    // The session outlives the restart, and cookies know no ports.
    await page.goto(farm.base.replace(/v1$/, "#/jobs"));
    await page.getByRole("grid", { name: "Jobs" }).getByRole("row").nth(5).waitFor();
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

const makeOwner = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.getByLabel("Your name").fill("bench");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Password again").fill(password);
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
};

const [nodeCount, updatesASecond] = [1000, 500];

/** A thousand nodes, and updates of any job's progress all the time: the pages cannot tell them from a farm's own. */
const makeBusy = async (page: Page, jobs: number): Promise<void> => {
  await page.route("**/ui/v1/nodes", (route) => route.fulfill({ json: { items: manyNodes() } }));
  await page.addInitScript(`window.EventSource = class extends EventTarget {
    readyState = 1;
    constructor() {
      super();
      this.timer = setInterval(() => this.tell(), 20);
      setTimeout(() => this.onopen?.(), 0);
    }
    tell() {
      for (let nr = 0; nr < ${updatesASecond / 50}; nr += 1) {
        const id = String(1 + Math.floor(Math.random() * ${jobs}));
        const percent = Math.random() * 100;
        const event = { type: "task.progress", job_id: id, task_id: id, job_progress: percent, progress: { percent } };
        this.dispatchEvent(new MessageEvent("task.progress", { data: JSON.stringify(event) }));
      }
    }
    close() { clearInterval(this.timer); }
  }`);
};

const manyNodes = (): Node[] =>
  Array.from({ length: nodeCount }, (_, at) => ({
    ...{ id: String(at + 1), name: `rack-${at}`, state: "active", presence: "online", tags: ["linux"], group: null },
    ...{ health: { state: "sound", until: null, why: null }, slots: 4, running: [], lending: null, platform: "posix" },
    ...{ machine: { cpu: "a processor", cores: 16, memory: 64e9, os: "Linux" }, ffmpeg: null, roots: [], mounts: [] },
    ...{ enrolled: new Date(0).toISOString(), last_seen: new Date(0).toISOString() },
  }));

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
