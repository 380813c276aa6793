import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../shared/clock.ts";
import type { EventBus, NumberedEvent } from "../work/events.ts";

/** A line now and then keeps proxies from closing a quiet stream. */
const keepAliveMs = 15_000;
/** A listener that does not read is cut off before it costs memory; it resumes by Last-Event-ID. */
const maxBufferedBytes = 4 * 1024 * 1024;

/** Throws where the request may not listen; says afterwards, now and then, whether it still may. */
export type ListenerGuard = (request: FastifyRequest, reply: FastifyReply) => Promise<() => boolean>;

type Door = { readonly url: string; readonly allow: ListenerGuard };

/** `GET …/events`: what happens, as server-sent events, resumable by `Last-Event-ID`. */
export const bindEvents = (app: FastifyInstance, { url, allow }: Door, bus: EventBus, clock: Clock): void => {
  app.get(url, async (request, reply) => {
    const isStillAllowed = await allow(request, reply);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" });
    raw.write("retry: 1000\n\n");
    const send = (event: NumberedEvent) => {
      if (raw.writableLength > maxBufferedBytes) raw.destroy();
      else raw.write(formatEvent(event));
    };
    const lastId = request.headers["last-event-id"];
    for (const missed of bus.since(Array.isArray(lastId) ? lastId[0] : lastId)) send(missed);
    const unsubscribe = bus.subscribe(send);
    const stopKeepAlive = clock.every(keepAliveMs, () => {
      if (isStillAllowed()) raw.write(": still here\n\n");
      else raw.end();
    });
    raw.on("close", () => {
      stopKeepAlive();
      unsubscribe();
    });
  });
};

const formatEvent = ({ id, event }: NumberedEvent): string =>
  `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
