import type { Client } from "../../shared/api/client.ts";
import type { FarmEvent } from "../../shared/api/events.ts";
import { type Clock, sleep } from "../../shared/basics/clock.ts";
import { AppError } from "../../shared/basics/errors.ts";
import type { JobStatus } from "../../shared/state/job.ts";
import type { Output } from "../terminal/output.ts";
import type { World } from "../terminal/world.ts";
import { progressLine } from "./progress-line.ts";

/** How often the state is polled, in case no events arrive. */
const pollMs = 500;

/**
 * Follows a job to its end and draws its progress; resolves with the final status. If the coordinator goes away, it
 * keeps waiting, because the job will continue. Resolves with undefined if the signal aborted it.
 */
export const watchJob = async (
  client: Client,
  id: string,
  { output, clock, signal }: { readonly output: Output; readonly clock: Clock; readonly signal?: AbortSignal },
): Promise<JobStatus | undefined> => {
  const ending = new AbortController();
  const view = createView(output, clock);
  const listening = listen(client, id, view.hear, clock, ending.signal);
  try {
    while (!signal?.aborted) {
      const status = await fetchStatus(client, id, view);
      if (status === "completed" || status === "failed") return status;
      await sleep(clock, pollMs, signal);
    }
    return undefined;
  } finally {
    ending.abort();
    await listening;
    if (output.isLive) output.live("");
  }
};

/** The same, but Ctrl-C stops watching and prints how to resume it. */
export const watchToEnd = async (
  client: Client,
  id: string,
  { output, world }: { readonly output: Output; readonly world: World },
): Promise<JobStatus | "interrupted"> => {
  const signal = world.interrupted();
  const status = await watchJob(client, id, { output, clock: world.clock, signal });
  if (status !== undefined) return status;
  output.problem(`Job ${id} continues. Watch it: mediafarm job ${id} --wait     Stop it: mediafarm stop ${id}`);
  return "interrupted";
};

const fetchStatus = async (client: Client, id: string, view: View): Promise<JobStatus | undefined> => {
  try {
    const info = await client.getJobInfo({ job_id: id, fields: ["status", "progress", "name"] });
    view.show(info.progress ?? 0);
    return info.status;
  } catch (problem) {
    if (!(problem instanceof AppError) || problem.code !== "UNAVAILABLE") throw problem;
    view.away();
    return undefined;
  }
};

type View = ReturnType<typeof createView>;

const createView = (output: Output, clock: Clock) => {
  const begun = clock.monotonic();
  let fps: number | undefined;
  let nextLine = 10;
  const draw = (percent: number, note = "") => {
    const elapsed = (clock.monotonic() - begun) / 1000;
    const line = progressLine({ percent, elapsed, fps, note, columns: output.columns });
    if (output.isLive) return output.live(line);
    // Without a terminal a line cannot be redrawn, so print one line per 10 %.
    if (output.isJson || percent < nextLine) return;
    nextLine = Math.floor(percent / 10) * 10 + 10;
    output.problem(line);
  };
  return {
    show: (percent: number) => draw(percent),
    away: () => draw(0, "the coordinator does not answer; waiting for it"),
    hear: (event: FarmEvent) => {
      if (event.type !== "task.progress") return;
      fps = event.progress.fps;
      draw(event.job_progress);
    },
  };
};

/** Events make the bar smooth. Polling works without them, so a broken stream is simply reopened. */
const listen = async (
  client: Client,
  id: string,
  hear: (event: FarmEvent) => void,
  clock: Clock,
  signal: AbortSignal,
) => {
  // Loaded here: events bring the schemas of all messages, which other commands do without.
  const { readEvents } = await import("./server-sent-events.ts");
  while (!signal.aborted) {
    try {
      const stream = await client.events({ signal });
      for await (const event of readEvents(stream)) if ("job_id" in event && event.job_id === id) hear(event);
    } catch {
      // Aborted at the end, or the coordinator went away: polling tells which.
    }
    await sleep(clock, 1000, signal);
  }
};
