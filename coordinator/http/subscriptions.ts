import type { FastifyInstance } from "fastify";
import type { FarmEvent } from "../../shared/api/events.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { reaches } from "../../shared/rights/reach.ts";
import type { NumberedEvent } from "../live/event-bus.ts";
import { reachOfLater } from "../people/still-there.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { findJobByKey } from "../secrets/subscription-key.ts";
import type { JobRow } from "../store/rows.ts";
import { buildJobInfo } from "../views/job-info.ts";
import { type EventStream, formatEvent, type Listeners, lastEventId, openEventStream } from "./event-stream.ts";
import { passingMs } from "./events.ts";

/**
 * `GET /v1/subscriptions/{subscription_key}`: one job's events, as server-sent events. The key from its result is
 * all that a listener needs. The stream begins with the job as it is, and ends when the job is deleted, or when whoever the
 * key was made for may not look at it any more.
 */
export const bindSubscriptions = (app: FastifyInstance, farm: Secrets, listeners: Listeners): void => {
  app.get<{ Params: { key: string } }>("/v1/subscriptions/:key", async (request, reply) => {
    const { key } = request.params;
    if (!(await openedBy(farm, key)))
      throw new AppError(
        "NOT_AUTHENTICATED",
        "This subscription key opens no job, or no longer: the job's result has the right one",
      );
    const isStillAllowed = async () => (await openedBy(farm, key)) !== undefined;
    const stream = openEventStream(reply, farm.clock, { listeners, who: `key ${key}`, isStillAllowed });
    request.turn?.end();
    await tell(stream, { farm, key, last: lastEventId(request.headers["last-event-id"]) });
  });
};

/** The key's job, if whoever it was made for may still look at it. */
const openedBy = async (farm: Secrets, key: string): Promise<JobRow | undefined> => {
  const found = await findJobByKey(farm, key);
  const reach = found && (await reachOfLater(farm.store, found.who, { scope: "jobs:read", now: farm.clock.now() }));
  return reach !== undefined && reaches(reach, found?.job) ? found?.job : undefined;
};

type Listening = { readonly farm: Secrets; readonly key: string; readonly last: string | undefined };

/** Subscribes before it reads the job, so that no event in between is missed. */
const tell = async (stream: EventStream, { farm, key, last }: Listening): Promise<void> => {
  const { events, clock } = farm;
  let early: NumberedEvent[] | undefined = [];
  const id = key.split(".")[0] ?? "";
  const pass = (numbered: NumberedEvent): void => {
    if (!concerns(numbered.event, id)) return;
    stream.send(formatEvent(numbered));
    if (numbered.event.type === "job.deleted") stream.end();
  };
  const unsubscribe = events.subscribe((numbered) => (early ? early.push(numbered) : pass(numbered)));
  const stopPassing = clock.every(passingMs, events.flushLatest);
  stream.onClose(() => {
    unsubscribe();
    stopPassing();
  });
  const missed = events.since(last);
  const job = await openedBy(farm, key);
  if (!job) return stream.end();
  stream.send("retry: 1000\n\n");
  const now: NumberedEvent = { id: undefined, event: { type: "job.changed", job: buildJobInfo(job, farm.progress) } };
  const knowsNothing = last === undefined || missed.some(({ event }) => event.type === "reset");
  for (const each of [...missed, ...(knowsNothing ? [now] : []), ...early]) pass(each);
  early = undefined;
};

const concerns = (event: FarmEvent, id: string): boolean => {
  if (event.type === "job.changed") return event.job.id === id;
  return event.type === "reset" || ("job_id" in event && event.job_id === id);
};
