import type { FastifyReply } from "fastify";
import type { Clock } from "../../shared/basics/clock.ts";
import type { NumberedEvent } from "../live/event-bus.ts";

/** A comment line at this interval keeps proxies from closing a quiet stream. */
const keepAliveMs = 15_000;
/** A listener that does not read is cut off before it costs memory; it resumes by Last-Event-ID. */
const maxBufferedBytes = 4 * 1024 * 1024;

export type EventStream = ReturnType<typeof openEventStream>;

/** Answers with server-sent events. Checks at intervals whether the listener is still allowed. */
export const openEventStream = (
  reply: FastifyReply,
  clock: Clock,
  isStillAllowed: () => boolean | Promise<boolean>,
) => {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" });
  const write = (text: string | Buffer): void => {
    // Writing to an ended response emits an error that nobody can catch.
    if (!raw.writableEnded) raw.write(text);
  };
  const onClose = (callback: () => void): void => {
    // The listener may have left while it was being checked.
    if (raw.closed) callback();
    else raw.once("close", callback);
  };
  const isAllowed = async (): Promise<boolean> => {
    try {
      return await isStillAllowed();
    } catch {
      return false; // the listener comes back, and that request reports the problem
    }
  };
  const stopKeepAlive = clock.every(keepAliveMs, async () => {
    if (await isAllowed()) write(": still here\n\n");
    else raw.end();
  });
  onClose(stopKeepAlive);
  return {
    send: (text: string | Buffer): void => {
      if (raw.writableLength > maxBufferedBytes) raw.destroy();
      else write(text);
    },
    end: (): void => void raw.end(),
    onClose,
  };
};

/** The id of the last event that a returning listener received. */
export const lastEventId = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

export const formatEvent = ({ id, event }: NumberedEvent): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
