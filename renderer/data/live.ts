import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { AppError } from "../../shared/errors.ts";
import type { FarmEvent } from "../../shared/events.ts";
import type { UiJob } from "../../shared/job-view.ts";
import type { Node } from "../../shared/node.ts";
import { systemClock } from "../../shared/system-clock.ts";
import { type Batch, foldEvents, type JobPage, jobPageAfter, jobViewAfter, nodesAfter } from "./batch.ts";
import { request, uiUrl } from "./client.ts";
import { rowHold } from "./hold.ts";
import { linkStore } from "./link.ts";
import { createNoticeFinder, type FarmNotice } from "./notices.ts";
import { forgetPerson } from "./sign-out.ts";
import { eventTypes } from "./static-tables.ts";
import { createThrottle } from "./throttle.ts";

const flushMs = 100;
const pollMs = 4000;
const pollAwayMs = 1000;
const answerMs = 4000;
const rereadMs = 1000;

/**
 * Keeps the query cache up to date while somebody is signed in: server-sent events are folded and applied ten times a
 * second; a regular request notices silence; after missed events, everything on screen is read once.
 */
export const startLive = (queries: QueryClient, tell: (notices: readonly FarmNotice[]) => void): (() => void) => {
  let queue: FarmEvent[] = [];
  let flushing: (() => void) | undefined;
  let asking: (() => void) | undefined;
  let source: EventSource | undefined;
  let hasHeardEvent = false;
  let isOver = false;
  const rereads = createThrottle(rereadMs);
  const findNotices = createNoticeFinder(systemClock.now() + linkStore.skew());
  rowHold.onRelease(() => void queries.invalidateQueries({ queryKey: ["jobs"] }));

  const readAgain = () => void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });

  const flush = () => {
    flushing = undefined;
    linkStore.heard();
    const batch = foldEvents(queue);
    queue = [];
    if (batch.isReset) readAgain();
    const notices = findNotices(batch, queries.getQueryData<readonly Node[]>(["nodes"]) ?? []);
    putIn(queries, batch);
    tell(notices);
    if (batch.jobs.size > 0) {
      rereads("counts", () => void queries.invalidateQueries({ queryKey: ["counts"] }));
    }
    for (const id of jobsOfTasks(batch)) {
      rereads(`job ${id}`, () => void queries.invalidateQueries({ queryKey: ["job", id, "view"] }));
    }
    // The log is complete when its attempt ends.
    for (const id of batch.tasks.keys()) void queries.invalidateQueries({ queryKey: ["log", id] });
    if (batch.jobs.size + batch.tasks.size > 0) {
      rereads("rows", () => {
        if (rowHold.isHeld()) rowHold.miss(batch.jobs.size);
        else void queries.invalidateQueries({ queryKey: ["jobs"] });
      });
      rereads("overview", () => void queries.invalidateQueries({ queryKey: ["overview"] }));
    }
  };

  const onMessage = (message: MessageEvent<string>) => {
    hasHeardEvent = true;
    queue.push(JSON.parse(message.data) as FarmEvent); // the coordinator made it from the same schema
    flushing ??= systemClock.after(flushMs, flush);
  };

  const open = () => {
    source?.close();
    source = new EventSource(uiUrl("/events"));
    let isFirst = true;
    source.onopen = () => {
      linkStore.heard();
      // Events before the stream, or in a gap that event ids do not cover, were missed.
      if (isFirst || !hasHeardEvent) readAgain();
      isFirst = false;
    };
    source.onerror = () => void ask();
    for (const type of eventTypes) source.addEventListener(type, onMessage);
  };

  /** Requests the farm's numbers; whether an answer comes decides the state of the link. */
  const ask = async () => {
    asking?.();
    try {
      const farm = await request("viewFarm", {}, { signal: AbortSignal.timeout(answerMs) });
      const wasAway = linkStore.isAway();
      linkStore.heard(Date.parse(farm.now));
      queries.setQueryData(["counts", "farm"], farm);
      if (!isOver && source?.readyState === EventSource.CLOSED) open();
      if (wasAway) void queries.refetchQueries({ predicate: ({ state }) => state.status === "error", type: "active" });
    } catch (problem) {
      if (isOver) return;
      if (problem instanceof AppError && problem.code === "NOT_AUTHENTICATED") forgetPerson(queries);
      else linkStore.failed();
    }
    asking?.();
    if (!isOver) asking = systemClock.after(linkStore.isAway() ? pollAwayMs : pollMs, () => void ask());
  };

  const onSight = () => document.visibilityState === "visible" && void ask();
  document.addEventListener("visibilitychange", onSight);
  addEventListener("online", onSight);
  open();
  void ask();
  return () => {
    isOver = true;
    source?.close();
    rereads.stop();
    flushing?.();
    asking?.();
    document.removeEventListener("visibilitychange", onSight);
    removeEventListener("online", onSight);
  };
};

/** What a batch leaves as it was is not put in again: nobody has to look what is new about it. */
const putIn = (queries: QueryClient, batch: Batch): void => {
  const put = <Data>(key: QueryKey, after: (data: Data, batch: Batch) => Data) => {
    const before = queries.getQueryData<Data>(key);
    const next = before === undefined ? undefined : after(before, batch);
    if (next !== before) queries.setQueryData<Data>(key, next);
  };
  for (const { queryKey } of queries.getQueryCache().findAll({ queryKey: ["jobs"] }))
    put<JobPage>(queryKey, jobPageAfter);
  for (const { queryKey } of queries.getQueryCache().findAll({ queryKey: ["job"] }))
    if (queryKey[2] === "view") put<UiJob>(queryKey, jobViewAfter);
  put<readonly Node[]>(["nodes"], nodesAfter);
};

const jobsOfTasks = ({ tasks, jobs }: Batch): Set<string> =>
  new Set([...[...tasks.values()].map(({ jobId }) => jobId), ...jobs.keys()]);
