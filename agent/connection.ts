import { WebSocket } from "ws";
import type { Clock } from "../shared/clock.ts";
import { messageOf } from "../shared/errors.ts";
import { type AgentMessage, type CoordinatorMessage, coordinatorMessage, maxMessageBytes } from "../shared/protocol.ts";
import type { Log } from "./log.ts";

/** Opens a socket. Tests and proxies pass their own. */
export type Connect = (url: string) => WebSocket;

export const connectPlainly: Connect = (url) =>
  new WebSocket(url, { maxPayload: maxMessageBytes, perMessageDeflate: false, handshakeTimeout: 10_000 });

/** One connection, from open to close. */
export type Connection = {
  /** Dropped silently while the socket is not open. Important messages are repeated after the next welcome. */
  send(message: AgentMessage): void;
  /** Starts heartbeats. A coordinator that is silent for three of them counts as gone. */
  beat(everyMs: number): void;
  end(why: string): void;
  /** Closes the connection and waits briefly for the other side. */
  close(): Promise<void>;
};

export type ConnectionNeeds = {
  readonly url: string;
  readonly connect: Connect;
  readonly clock: Clock;
  readonly log: Log;
  /** The content of a heartbeat. */
  readonly heartbeat: () => AgentMessage;
  readonly onOpen: () => void;
  readonly onMessage: (message: CoordinatorMessage) => void;
  readonly onClose: () => void;
};

const welcomeLimitMs = 15_000;
const closeLimitMs = 1000;

export const openConnection = (needs: ConnectionNeeds): Connection => {
  const { clock, log } = needs;
  const socket = needs.connect(needs.url);
  let lastMessageAt = clock.monotonic();
  let stopWatch = clock.after(welcomeLimitMs, () => end("the coordinator did not answer"));

  const end = (why: string): void => {
    if (socket.readyState !== WebSocket.CLOSED) log.warn("Closing the connection", { why });
    socket.terminate();
  };
  const send = (message: AgentMessage): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const noteMessage = (): void => {
    lastMessageAt = clock.monotonic();
  };

  socket.on("open", needs.onOpen);
  socket.on("message", (data, isBinary) => {
    noteMessage();
    const message = isBinary ? undefined : readMessage(String(data));
    if (message) needs.onMessage(message);
    else end("the coordinator sent an invalid message");
  });
  socket.on("ping", noteMessage);
  socket.on("pong", noteMessage);
  socket.on("error", (error) => log.warn("The connection failed", { why: messageOf(error) }));
  socket.on("close", () => {
    stopWatch();
    needs.onClose();
  });

  return {
    send,
    end,
    beat: (everyMs) => {
      stopWatch();
      stopWatch = clock.every(everyMs, () => {
        if (clock.monotonic() - lastMessageAt > 3 * everyMs) return end("the coordinator is silent");
        send(needs.heartbeat());
        if (socket.readyState === WebSocket.OPEN) socket.ping();
      });
    },
    close: () =>
      new Promise((resolve) => {
        if (socket.readyState === WebSocket.CLOSED) return resolve();
        const stopWaiting = clock.after(closeLimitMs, () => socket.terminate());
        socket.once("close", () => {
          stopWaiting();
          resolve();
        });
        socket.close(1000);
      }),
  };
};

const readMessage = (text: string): CoordinatorMessage | undefined => {
  try {
    return coordinatorMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // not JSON: the caller closes the socket and reports it
  }
};
