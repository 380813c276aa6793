import type { FastifyReply } from "fastify";
import type { FarmEvent } from "../../shared/api/events.ts";
import type { Clock } from "../../shared/basics/clock.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { redactJson } from "../../shared/credentials/redact.ts";
import type { DoorLimits } from "../config.ts";
import type { NumberedEvent } from "../live/event-bus.ts";

/** A comment line at this interval keeps proxies from closing a quiet stream. */
const keepAliveMs = 15_000;
/** A listener that has yet to read so much is cut off, however few there are; it resumes by Last-Event-ID. */
const mostUnread = 4 * 1024 * 1024;

/** Writes to all streams together: each takes the loop for up to a tenth of a millisecond. */
const writesPerSecond = 400;
const longestGatherMs = 500;
/** Gathering for less saves nothing. */
const noticedMs = 10;

export type Listeners = ReturnType<typeof createListeners>;

/** Counts the event streams of each caller, and shares the memory for what they have yet to read. */
export const createListeners = ({ streams, unreadBytes }: Pick<DoorLimits, "streams" | "unreadBytes">) => {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    /** Throws if the caller has too many; returns what ends this one. */
    enter: (who: string): (() => void) => {
      const count = counts.get(who) ?? 0;
      if (count >= streams) {
        const message = `You listen ${count} times already, which is the limit: end a stream, or listen once for many`;
        throw new AppError("TOO_MANY_ATTEMPTS", message);
      }
      counts.set(who, count + 1);
      all += 1;
      return () => {
        all -= 1;
        const left = (counts.get(who) ?? 1) - 1;
        if (left > 0) counts.set(who, left);
        else counts.delete(who);
      };
    },
    /** Bytes that one of them may have yet to read, as many as they are now. */
    mostUnread: (): number => Math.min(mostUnread, unreadBytes / Math.max(1, all)),
    /** For so long their events gather, as many as they are now; 0: each is written at once. */
    gatherMs: (): number => {
      const ms = Math.min(longestGatherMs, (all * 1000) / writesPerSecond);
      return ms < noticedMs ? 0 : ms;
    },
  };
};

export type EventStream = ReturnType<typeof openEventStream>;

type Listening = {
  readonly listeners: Listeners;
  /** Whose stream it is. */
  readonly who: string;
  readonly isStillAllowed: () => boolean | Promise<boolean>;
};

/**
 * Answers with server-sent events. Checks at intervals whether the listener is still allowed. Throws if the caller
 * listens too often.
 */
export const openEventStream = (reply: FastifyReply, clock: Clock, { listeners, who, isStillAllowed }: Listening) => {
  const leave = listeners.enter(who);
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" });
  const write = (text: string | Buffer): void => {
    // Writing to an ended response emits an error that nobody can catch.
    if (!raw.writableEnded && !raw.destroyed) raw.write(text);
  };
  /** What came while the listener had yet to take what was written: until then, more of it costs a place in a list. */
  let held: Buffer[] = [];
  let heldBytes = 0;
  const pass = (text: string | Buffer): void => {
    if (!raw.writableNeedDrain) {
      write(text);
      return;
    }
    const bytes = Buffer.from(text);
    held.push(bytes);
    heldBytes += bytes.length;
  };
  raw.on("drain", () => {
    if (heldBytes > 0) write(Buffer.concat(held));
    [held, heldBytes] = [[], 0];
  });
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
    if (await isAllowed()) pass(": still here\n\n");
    else raw.end();
  });
  onClose(() => {
    stopKeepAlive();
    leave();
  });
  return {
    send: (text: string | Buffer): void => {
      if (raw.writableLength + heldBytes > listeners.mostUnread()) raw.destroy();
      else pass(text);
    },
    end: (): void => void raw.end(),
    onClose,
  };
};

/** The id of the last event that a returning listener received. */
export const lastEventId = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

/** Texts of events that were sent: listeners who come back hear many of them once more. */
const texts = new WeakMap<FarmEvent, string>();

export const formatEvent = ({ id, event }: NumberedEvent): string => {
  const known = id === undefined ? undefined : texts.get(event);
  if (known !== undefined) return known;
  const text = `${id === undefined ? "" : `id: ${id}\n`}event: ${event.type}\ndata: ${redactJson(JSON.stringify(event))}\n\n`;
  if (id !== undefined) texts.set(event, text);
  return text;
};
