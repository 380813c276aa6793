import { messageOf } from "../../shared/basics/errors.ts";
import type { Ask } from "../../shared/outbound/ask.ts";
import { isSampled, type TraceSettings } from "../../shared/outbound/traces.ts";
import { ruleFor } from "../identity/ask-provider.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { mapInSlices } from "../kernel/time-slice.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { type Change, joinChanges } from "../store/batch.ts";
import { plainText } from "../trail/about.ts";
import { otlpText, type Resource, spanText } from "./otlp.ts";
import { type Span, tracePartsOf } from "./spans.ts";

/** Ended jobs that may wait while the collector is away; those beyond are counted and not told. */
export const mostWaiting = 1000;
/** Spans of one request, about: a job is not divided. */
const spansAtOnce = 1000;
/** After a failure nothing is sent for that long. */
export const retryMs = 30_000;

type Needs = {
  readonly farm: Pick<Kernel, "clock" | "log" | "store" | "timeSlice">;
  readonly settings: TraceSettings | undefined;
  /** Absent: this coordinator reaches nothing outside. */
  readonly ask: Ask | undefined;
  readonly about: Pick<Resource, "version" | "host">;
};

export type Tracing = ReturnType<typeof createTracing>;

/** Jobs that ended with these changes. */
export const endedIn = (changes: Iterable<Change>): number[] =>
  joinChanges(changes).flatMap((change) => {
    if (change.table !== "jobs" || !change.after) return [];
    return change.after.end_time !== null && (change.before?.end_time ?? null) === null ? [change.after.id] : [];
  });

/**
 * Tells a collector the traces of jobs that have ended. A job is only noted when it ends; what is told of it is read from the
 * store afterwards, by a duty, so no decision waits for it, and a collector that is away costs a list of numbers.
 */
export const createTracing = ({ farm, settings: first, ask, about }: Needs) => {
  const { clock, log, store, timeSlice } = farm;
  const waiting = new Set<number>();
  let settings = first;
  let failure: string | null = null;
  let untold = 0;
  let retryAt = Number.NEGATIVE_INFINITY;

  const add = (id: number): void => {
    if (waiting.size < mostWaiting) waiting.add(id);
    else untold += 1;
  };
  const spansOf = async (id: number, to: TraceSettings): Promise<readonly Span[]> => {
    const report = await store.jobs.report(id);
    // Deleted since, or retried: then it ends again.
    if (!report || report.row.end_time === null) return [];
    const { traceId, parent, all, spanOf } = await timeSlice(() => tracePartsOf(report));
    return isSampled(to, traceId, parent) ? mapInSlices(timeSlice, all, spanOf) : [];
  };
  /** The next jobs, and what is told of them. */
  const take = async (to: TraceSettings) => {
    const [ids, spans]: [number[], Span[]] = [[], []];
    for (const id of waiting) {
      if (spans.length >= spansAtOnce) break;
      ids.push(id);
      spans.push(...(await spansOf(id, to)));
    }
    return { ids, spans };
  };
  const post = async (spans: readonly Span[], { url, ...to }: TraceSettings, send: Ask): Promise<number> => {
    const told = { ...about, service: to.service, attributes: to.attributes };
    const body = otlpText(await mapInSlices(timeSlice, spans, spanText), told);
    const own = Object.entries(to.headers).map(([name, value]) => [name, value.reveal()]);
    const headers = { ...Object.fromEntries(own), "content-type": "application/json" };
    const { status } = await send({ method: "POST", url, headers, body, rules: [ruleFor(url)] });
    return status;
  };
  const giveUpForNow = (why: string): void => {
    retryAt = clock.monotonic() + retryMs;
    failure = why;
    log.warn({ why, waiting: waiting.size, untold }, "traces cannot be sent; it is tried again");
  };

  return {
    /** Called at the end of every decision, within it. */
    note: (draft: Pick<Transaction, "changes" | "after">): void => {
      if (settings === undefined || ask === undefined) return;
      const ids = endedIn(draft.changes);
      if (ids.length > 0) draft.after(() => ids.forEach(add));
    },
    /** Sends what waits. It never rejects for what the collector does. */
    send: async (): Promise<void> => {
      while (settings && ask && waiting.size > 0 && clock.monotonic() >= retryAt) {
        const to = settings;
        const { ids, spans } = await take(to);
        try {
          const status = spans.length > 0 ? await post(spans, to, ask) : 200;
          if (mayPass(status)) return giveUpForNow(`the collector answers ${status}`);
          if (status >= 300)
            log.warn({ status, spans: spans.length }, "the collector refuses traces; they are not sent again");
        } catch (problem) {
          return giveUpForNow(plainText(messageOf(problem), 300));
        }
        failure = null;
        for (const id of ids) waiting.delete(id);
      }
    },
    waiting: (): number => waiting.size,
    /** Why the last try failed; null if it did not. */
    failure: (): string | null => failure,
    /** From now on traces go there, or nowhere. */
    use: (wanted: TraceSettings | undefined): void => {
      settings = wanted;
      failure = null;
      retryAt = Number.NEGATIVE_INFINITY;
      if (wanted === undefined) waiting.clear();
    },
  };
};

/** What OTLP says may be tried again. */
const mayPass = (status: number): boolean => [429, 502, 503, 504].includes(status);
