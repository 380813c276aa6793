import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { FarmEvent } from "../../shared/api/events.ts";
import { getOrInsert } from "../../shared/basics/get-or-insert.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { EventBus, NumberedEvent } from "../live/event-bus.ts";
import { formatEvent, type Listeners, lastEventId, openEventStream } from "./event-stream.ts";

/** Throws if the request may not listen; resolves with a check of whether it still may, and what it may hear. */
export type ListenerGuard = (request: FastifyRequest, reply: FastifyReply) => Promise<Listener>;
export type Listener = {
  /** Whose streams are counted together. */
  readonly who: string;
  readonly lasts: () => boolean | Promise<boolean>;
  /** Absent: whoever listens hears everything. */
  readonly hears?: ((event: NumberedEvent) => FarmEvent | undefined) | undefined;
  /** The same for those who hear the same, whose text is made once. */
  readonly hearsAs?: string;
};

type Door = { readonly url: string; readonly allow: ListenerGuard; readonly listeners: Listeners };
type Parts = { readonly events: EventBus } & Pick<Kernel, "clock" | "timeSlice">;

/** `GET …/events`: events of the farm, as server-sent events, resumable by `Last-Event-ID`. */
export const bindEvents = (app: FastifyInstance, { url, allow, listeners }: Door, farm: Parts): void => {
  const { events: bus, clock } = farm;
  const broadcast = createBroadcast(farm, listeners);
  app.get(url, async (request, reply) => {
    const { who, lasts, hears, hearsAs = "all" } = await allow(request, reply);
    const stream = openEventStream(reply, clock, { listeners, who, isStillAllowed: lasts });
    request.turn?.end();
    const heard = (all: readonly NumberedEvent[]): string => all.flatMap((each) => selected(each, hears)).join("");
    const id = lastEventId(request.headers["last-event-id"]);
    const missed = heard(bus.since(id));
    // Many who come back for much would take the memory of all: they read everything again, which is less.
    const isTooMuch = missed.length > listeners.mostUnread();
    stream.send(`retry: 1000\n\n${isTooMuch ? heard(bus.since("")) : missed}`);
    stream.onClose(broadcast.join(hearsAs, stream.send, (event) => heard([event])));
  });
};

/** Milliseconds between two sends of progress: people would not notice more frequent ones. */
export const passingMs = 250;

type Send = (text: Buffer | string) => void;

const selected = (numbered: NumberedEvent, hears: Listener["hears"]): string[] => {
  const event = hears ? hears(numbered) : numbered.event;
  return event ? [formatEvent({ ...numbered, event })] : [];
};

/** Those who hear the same. */
type Audience = {
  readonly heard: (event: NumberedEvent) => string;
  /** Of what was said since the last sends, so much was there before the listener was. */
  readonly listeners: Map<Send, number>;
  said: string;
};

/**
 * Serialises each event once for all who hear the same, and sends those of one microtask together. Each listener costs
 * a write: where there are many, events gather for a while first.
 */
const createBroadcast = ({ events: bus, clock, timeSlice }: Parts, { gatherMs }: Listeners) => {
  const audiences = new Map<string, Audience>();
  let isGathering = false;
  let stopGathering: (() => void) | undefined;
  let hush: (() => void) | undefined;

  const flush = (): void => {
    isGathering = false;
    for (const audience of audiences.values()) {
      const { said, listeners } = audience;
      if (said === "") continue;
      audience.said = "";
      const whole = Buffer.from(said);
      for (const [send, before] of listeners) {
        listeners.set(send, 0);
        const text = before === 0 ? whole : Buffer.from(said.slice(before));
        void timeSlice(() => send(text), 0);
      }
    }
  };
  const gather = (): void => {
    if (isGathering) return;
    isGathering = true;
    const ms = gatherMs();
    if (ms === 0) queueMicrotask(flush);
    else stopGathering = clock.after(ms, flush);
  };
  const hear = (event: NumberedEvent): void => {
    for (const audience of audiences.values()) audience.said += audience.heard(event);
    gather();
  };
  const listen = (): (() => void) => {
    const unsubscribe = bus.subscribe(hear);
    const stop = clock.every(passingMs, bus.flushLatest);
    return () => {
      unsubscribe();
      stop();
      stopGathering?.();
      isGathering = false;
    };
  };

  return {
    /** From now on the listener gets all events that its audience hears. */
    join: (name: string, send: Send, heard: Audience["heard"]): (() => void) => {
      const audience = getOrInsert(audiences, name, () => ({ heard, listeners: new Map(), said: "" }));
      audience.listeners.set(send, audience.said.length);
      hush ??= listen();
      return () => {
        audience.listeners.delete(send);
        if (audience.listeners.size > 0) return;
        if (audiences.get(name) === audience) audiences.delete(name);
        if (audiences.size > 0) return;
        hush?.();
        hush = undefined;
      };
    },
  };
};
