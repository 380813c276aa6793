import type { Client } from "../shared/client.ts";
import { type Clock, sleep } from "../shared/clock.ts";
import { AppError } from "../shared/errors.ts";
import type { FarmEvent } from "../shared/events.ts";
import type { JobStatus } from "../shared/state/job.ts";
import type { World } from "./command.ts";
import type { Output } from "./output.ts";
import { progressLine } from "./progress-line.ts";
import { readEvents } from "./server-sent-events.ts";

/** How often the state is asked for, should the events be silent. */
const pollMs = 500;

/**
 * Follows a job to its end and draws its progress; resolves with the final status. A coordinator that goes away is
 * waited for: the job goes on without it. Undefined where the signal ended the watching.
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
      const status = await askStatus(client, id, view);
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

/** The same for a person who may lose patience: Ctrl-C ends the watching and says how to take it up again. */
export const watchToEnd = async (
  client: Client,
  id: string,
  { output, world }: { readonly output: Output; readonly world: World },
): Promise<JobStatus | "interrupted"> => {
  const signal = world.interrupted();
  const status = await watchJob(client, id, { output, clock: world.clock, signal });
  if (status !== undefined) return status;
  output.problem(`Job ${id} goes on. Watch it: mediafarm job ${id} --wait     Stop it: mediafarm stop ${id}`);
  return "interrupted";
};

const askStatus = async (client: Client, id: string, view: View): Promise<JobStatus | undefined> => {
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
    // Where no terminal can redraw a line, every tenth part gets one.
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

/** Events make the bar smooth; without them the polling alone carries it, so a broken stream is only opened again. */
const listen = async (
  client: Client,
  id: string,
  hear: (event: FarmEvent) => void,
  clock: Clock,
  signal: AbortSignal,
) => {
  while (!signal.aborted) {
    try {
      const stream = await client.events({ signal });
      for await (const event of readEvents(stream)) if ("job_id" in event && event.job_id === id) hear(event);
    } catch {
      // Aborted at the end, or the coordinator went away: the polling tells which.
    }
    await sleep(clock, 1000, signal);
  }
};
