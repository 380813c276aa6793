import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../shared/basics/clock.ts";
import type { EventBus, NumberedEvent } from "../live/event-bus.ts";
import { formatEvent, lastEventId, openEventStream } from "./event-stream.ts";

/** Throws if the request may not listen; resolves with a check of whether it still may. */
export type ListenerGuard = (request: FastifyRequest, reply: FastifyReply) => Promise<() => boolean | Promise<boolean>>;

type Door = { readonly url: string; readonly allow: ListenerGuard };

/** `GET …/events`: events of the farm, as server-sent events, resumable by `Last-Event-ID`. */
export const bindEvents = (app: FastifyInstance, { url, allow }: Door, bus: EventBus, clock: Clock): void => {
  const broadcast = createBroadcast(bus, clock);
  app.get(url, async (request, reply) => {
    const isStillAllowed = await allow(request, reply);
    const stream = openEventStream(reply, clock, isStillAllowed);
    const leave = broadcast.join(stream.send, () => {
      const missed = bus.since(lastEventId(request.headers["last-event-id"]));
      stream.send(`retry: 1000\n\n${missed.map(formatEvent).join("")}`);
    });
    stream.onClose(leave);
  });
};

/** Milliseconds between two sends of progress: people would not notice more frequent ones. */
export const passingMs = 250;

type Send = (text: Buffer) => void;

/** Serialises each event once for all listeners, and sends the events of one microtask together. */
const createBroadcast = (bus: EventBus, clock: Clock) => {
  const everyone = new Set<Send>();
  let spoken = "";
  let hush: (() => void) | undefined;

  const flush = (): void => {
    if (spoken === "") return;
    const text = Buffer.from(spoken);
    spoken = "";
    for (const send of everyone) send(text);
  };
  const hear = (event: NumberedEvent): void => {
    if (spoken === "") queueMicrotask(flush);
    spoken += formatEvent(event);
  };
  const listen = (): (() => void) => {
    const unsubscribe = bus.subscribe(hear);
    const stop = clock.every(passingMs, bus.flushLatest);
    return () => {
      unsubscribe();
      stop();
    };
  };

  return {
    /** `greet` sends the missed events; the listener gets all later ones. */
    join: (send: Send, greet: () => void): (() => void) => {
      flush();
      greet();
      everyone.add(send);
      hush ??= listen();
      return () => {
        everyone.delete(send);
        if (everyone.size > 0) return;
        hush?.();
        hush = undefined;
      };
    },
  };
};
