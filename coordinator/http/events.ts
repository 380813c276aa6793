import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../shared/clock.ts";
import type { EventBus, NumberedEvent } from "../memory/events.ts";

/** A line now and then keeps proxies from closing a quiet stream. */
const keepAliveMs = 15_000;
/** A listener that does not read is cut off before it costs memory; it resumes by Last-Event-ID. */
const maxBufferedBytes = 4 * 1024 * 1024;

/** Throws where the request may not listen; says afterwards, now and then, whether it still may. */
export type ListenerGuard = (request: FastifyRequest, reply: FastifyReply) => Promise<() => boolean | Promise<boolean>>;

type Door = { readonly url: string; readonly allow: ListenerGuard };

/** `GET …/events`: what happens, as server-sent events, resumable by `Last-Event-ID`. */
export const bindEvents = (app: FastifyInstance, { url, allow }: Door, bus: EventBus, clock: Clock): void => {
  const broadcast = createBroadcast(bus, clock);
  app.get(url, async (request, reply) => {
    const isStillAllowed = await allow(request, reply);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" });
    const send = (text: string | Buffer) => {
      if (raw.writableLength > maxBufferedBytes) raw.destroy();
      else raw.write(text);
    };
    const lastId = request.headers["last-event-id"];
    const leave = broadcast.join(send, () => {
      const missed = bus.since(Array.isArray(lastId) ? lastId[0] : lastId);
      send(`retry: 1000\n\n${missed.map(formatEvent).join("")}`);
    });
    const stopKeepAlive = clock.every(keepAliveMs, async () => {
      if (await isStillAllowed()) raw.write(": still here\n\n");
      else raw.end();
    });
    raw.on("close", () => {
      stopKeepAlive();
      leave();
    });
  });
};

/** Progress is told so often: pages show it ten times a second at most, and people see no difference. */
const passingMs = 250;

type Send = (text: Buffer) => void;

/** What is told to many is written down once, and what is told in one breath goes out in one piece. */
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
    const stop = clock.every(passingMs, bus.tellPassing);
    return () => {
      unsubscribe();
      stop();
    };
  };

  return {
    /** `greet` says what was missed: all that comes after it is heard. */
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

const formatEvent = ({ id, event }: NumberedEvent): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
