import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { FarmEvent } from "../../shared/api/events.ts";
import type { Clock } from "../../shared/basics/clock.ts";
import type { EventBus, NumberedEvent } from "../live/event-bus.ts";
import { formatEvent, type Listeners, lastEventId, openEventStream } from "./event-stream.ts";

/** Throws if the request may not listen; resolves with a check of whether it still may, and what it may hear. */
export type ListenerGuard = (request: FastifyRequest, reply: FastifyReply) => Promise<Listener>;
export type Listener = {
  /** Whose streams are counted together. */
  readonly who: string;
  readonly lasts: () => boolean | Promise<boolean>;
  /** Absent: whoever listens hears everything, and everybody's text is made once. */
  readonly hears?: ((event: NumberedEvent) => FarmEvent | undefined) | undefined;
};

type Door = { readonly url: string; readonly allow: ListenerGuard; readonly listeners: Listeners };

/** `GET …/events`: events of the farm, as server-sent events, resumable by `Last-Event-ID`. */
export const bindEvents = (
  app: FastifyInstance,
  { url, allow, listeners }: Door,
  bus: EventBus,
  clock: Clock,
): void => {
  const broadcast = createBroadcast(bus, clock);
  app.get(url, async (request, reply) => {
    const { who, lasts, hears } = await allow(request, reply);
    const stream = openEventStream(reply, clock, { listeners, who, isStillAllowed: lasts });
    request.turn?.end();
    const heard = (all: readonly NumberedEvent[]): string => all.flatMap((each) => selected(each, hears)).join("");
    const greet = (): void => {
      const id = lastEventId(request.headers["last-event-id"]);
      const missed = heard(bus.since(id));
      // Many who come back for much would take the memory of all: they read everything again, which is less.
      const isTooMuch = missed.length > listeners.mostUnread();
      stream.send(`retry: 1000\n\n${isTooMuch ? heard(bus.since("")) : missed}`);
    };
    stream.onClose(broadcast.join(stream.send, greet, hears && heard));
  });
};

/** Milliseconds between two sends of progress: people would not notice more frequent ones. */
export const passingMs = 250;

type Send = (text: Buffer | string) => void;

const selected = (numbered: NumberedEvent, hears: Listener["hears"]): string[] => {
  const event = hears ? hears(numbered) : numbered.event;
  return event ? [formatEvent({ ...numbered, event })] : [];
};

/** Serialises each event once for all listeners, and sends the events of one microtask together. */
const createBroadcast = (bus: EventBus, clock: Clock) => {
  const everyone = new Set<Send>();
  /** Those who hear some events only. */
  const others = new Set<(event: NumberedEvent) => void>();
  let spoken = "";
  let hush: (() => void) | undefined;

  const flush = (): void => {
    if (spoken === "") return;
    const text = Buffer.from(spoken);
    spoken = "";
    for (const send of everyone) send(text);
  };
  const hear = (event: NumberedEvent): void => {
    for (const tell of others) tell(event);
    if (everyone.size === 0) return;
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
    join: (send: Send, greet: () => void, heard?: (all: readonly NumberedEvent[]) => string): (() => void) => {
      flush();
      greet();
      const tell = (event: NumberedEvent): void => {
        const text = heard?.([event]) ?? "";
        if (text !== "") send(text);
      };
      if (heard) others.add(tell);
      else everyone.add(send);
      hush ??= listen();
      return () => {
        everyone.delete(send);
        others.delete(tell);
        if (everyone.size + others.size > 0) return;
        hush?.();
        hush = undefined;
      };
    },
  };
};
