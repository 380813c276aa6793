import type { CDPSession, Page } from "playwright-core";

/** One line of Chromium's trace. */
export type TraceEvent = {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
  /** Processor time in microseconds: what other programs took meanwhile is not the page's. */
  readonly tdur?: number;
  readonly dur?: number;
  readonly pid: number;
  readonly tid: number;
};

/** What the page's own thread did during `act`, in the order of its beginnings. */
export const traced = async (page: Page, act: () => Promise<void>): Promise<TraceEvent[]> => {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    events.push(...(value as unknown as TraceEvent[])); // Chromium's own form of a trace
  });
  const categories = "devtools.timeline,disabled-by-default-devtools.timeline,toplevel";
  await session.send("Tracing.start", { categories });
  await act();
  await ended(session);
  const main = events.findLast(({ name }) => own.has(name));
  return events
    .filter(({ tid, pid, ph }) => tid === main?.tid && pid === main.pid && ph === "X")
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
};

/** What no thread but the page's own does. */
const own: ReadonlySet<string> = new Set(["FireAnimationFrame", "EvaluateScript", "UpdateLayoutTree", "Layout"]);

const ended = (session: CDPSession): Promise<void> =>
  new Promise((resolve) => {
    session.once("Tracing.tracingComplete", () => resolve());
    void session.send("Tracing.end");
  });

export const isTask = ({ name }: TraceEvent): boolean => name.endsWith("RunTask");

/** They lie in one another: what is within another is counted there. */
export const outermost = (sorted: readonly TraceEvent[]): TraceEvent[] => {
  let end = 0;
  return sorted.filter(({ ts, dur = 0 }) => {
    const isInner = ts < end;
    end = Math.max(end, ts + dur);
    return !isInner;
  });
};

/** Milliseconds of processor time. */
export const costOf = ({ tdur, dur = 0 }: TraceEvent): number => (tdur ?? dur) / 1000;
