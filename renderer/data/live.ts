import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { FarmEvent } from "../../shared/api/events.ts";
import type { UiJob } from "../../shared/api/job-view.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { systemClock } from "../../shared/basics/system-clock.ts";
import type { Node } from "../../shared/model/node.ts";
import { type Batch, foldEvents, type JobPage, jobPageAfter, jobViewAfter, nodesAfter } from "./batch.ts";
import { request, uiUrl } from "./client.ts";
import { rowFreeze } from "./hold.ts";
import { linkStore } from "./link.ts";
import { createNoticeFinder, type FarmNotice } from "./notices.ts";
import { forgetPerson } from "./sign-out.ts";
import { eventTypes } from "./static-tables.ts";
import { createActionThrottle } from "./throttle.ts";

const flushMs = 100;
const pollMs = 4000;
const pollAwayMs = 1000;
const answerMs = 4000;
const rereadMs = 1000;

type Tell = (notices: readonly FarmNotice[]) => void;

/**
 * Keeps the query cache up to date while somebody is signed in: server-sent events are folded and applied ten times a
 * second; a regular request notices silence; after missed events, everything on screen is read once.
 */
export const startLive = (queries: QueryClient, tell: Tell): (() => void) => {
  const readAgain = () => void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
  const folding = createFolding(queries, tell, readAgain);
  const stream = createStream({ onEvent: folding.add, onMissed: readAgain, onError: () => void ask() });
  let asking: (() => void) | undefined;
  let isOver = false;
  rowFreeze.onRelease(() => void queries.invalidateQueries({ queryKey: ["jobs"] }));

  /** Requests the farm's numbers; whether an answer comes decides the state of the link. */
  const ask = async () => {
    asking?.();
    try {
      const farm = await request("viewFarm", {}, { signal: AbortSignal.timeout(answerMs) });
      const wasAway = linkStore.isAway();
      linkStore.heard(Date.parse(farm.now));
      queries.setQueryData(["counts", "farm"], farm);
      if (!isOver && stream.isClosed()) stream.open();
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
  stream.open();
  void ask();
  return () => {
    isOver = true;
    stream.close();
    folding.stop();
    asking?.();
    document.removeEventListener("visibilitychange", onSight);
    removeEventListener("online", onSight);
  };
};

/** Collects events for a moment, and applies them together. */
const createFolding = (queries: QueryClient, tell: Tell, readAgain: () => void) => {
  const rereads = createActionThrottle(rereadMs);
  const findNotices = createNoticeFinder(systemClock.now() + linkStore.skew());
  let queue: FarmEvent[] = [];
  let flushing: (() => void) | undefined;

  const flush = () => {
    flushing = undefined;
    linkStore.heard();
    const batch = foldEvents(queue);
    queue = [];
    if (batch.isReset) readAgain();
    const notices = findNotices(batch, queries.getQueryData<readonly Node[]>(["nodes"]) ?? []);
    putIn(queries, batch);
    tell(notices);
    rereadWhatChanged(queries, batch, rereads);
  };

  return {
    add: (event: FarmEvent) => {
      queue.push(event);
      flushing ??= systemClock.after(flushMs, flush);
    },
    stop: () => {
      rereads.stop();
      flushing?.();
    },
  };
};

type StreamNeeds = {
  readonly onEvent: (event: FarmEvent) => void;
  readonly onMissed: () => void;
  readonly onError: () => void;
};

const createStream = ({ onEvent, onMissed, onError }: StreamNeeds) => {
  let source: EventSource | undefined;
  let hasHeardEvent = false;
  const onMessage = (message: MessageEvent<string>) => {
    hasHeardEvent = true;
    onEvent(JSON.parse(message.data) as FarmEvent); // the coordinator made it from the same schema
  };
  return {
    isClosed: () => source?.readyState === EventSource.CLOSED,
    close: () => source?.close(),
    open: () => {
      source?.close();
      source = new EventSource(uiUrl("/events"));
      let isFirst = true;
      source.onopen = () => {
        linkStore.heard();
        // Events before the stream, or in a gap that event ids do not cover, were missed.
        if (isFirst || !hasHeardEvent) onMissed();
        isFirst = false;
      };
      source.onerror = onError;
      for (const type of eventTypes) source.addEventListener(type, onMessage);
    },
  };
};

/** Reads what a batch only hints at, each thing at most once in a while. */
const rereadWhatChanged = (queries: QueryClient, batch: Batch, rereads: Rereads): void => {
  const readAgain = (queryKey: QueryKey) => void queries.invalidateQueries({ queryKey });
  if (batch.jobs.size > 0) rereads("counts", () => readAgain(["counts"]));
  for (const id of jobsOfTasks(batch)) rereads(`job ${id}`, () => readAgain(["job", id, "view"]));
  // The log is complete when its attempt ends.
  for (const id of batch.tasks.keys()) readAgain(["log", id]);
  if (batch.jobs.size + batch.tasks.size === 0) return;
  rereads("rows", () => {
    if (rowFreeze.isFrozen()) rowFreeze.miss(batch.jobs.size);
    else readAgain(["jobs"]);
  });
  rereads("overview", () => readAgain(["overview"]));
};

type Rereads = ReturnType<typeof createActionThrottle>;

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
