import type { IncomingMessage } from "node:http";
import { type ClientOptions, WebSocket } from "ws";
import { z } from "zod";
import type { Clock } from "../../shared/basics/clock.ts";
import { messageOf } from "../../shared/basics/errors.ts";
import {
  type AgentMessage,
  type CoordinatorMessage,
  coordinatorMessage,
  maxMessageBytes,
} from "../../shared/protocol/messages.ts";
import type { Log } from "../log.ts";
import { connectPinned } from "./secure-socket.ts";

/** Opens a socket. Tests and proxies pass their own. */
export type Connect = (url: string, pins?: readonly string[]) => WebSocket;

/** A coordinator that stands by says where the leader is. */
const toLeader = { followRedirects: true, maxRedirects: 2 };

/** To the farm of a join token: over TLS if its address says so, and then only if the farm proves to be the pinned one. */
export const connectToFarm =
  (now: () => number): Connect =>
  (url, pins = []) => {
    const options = { maxPayload: maxMessageBytes, perMessageDeflate: false, handshakeTimeout: 10_000, ...toLeader };
    if (!url.startsWith("wss:")) return new WebSocket(url, options);
    const open = connectPinned(pins, now);
    // The types of `ws` know only connections that are open at once; Node's request also takes them later.
    const createConnection = ((to: { host: string; port: number }, opened: Parameters<typeof open>[1]) =>
      open(to, opened)) as unknown as NonNullable<ClientOptions["createConnection"]>;
    return new WebSocket(url, { ...options, createConnection });
  };

/** One connection, from open to close. */
export type Connection = {
  /** Dropped silently while the socket is not open. Important messages are repeated after the next welcome. */
  send(message: AgentMessage): void;
  /** Starts heartbeats. A coordinator that is silent for three of them counts as gone. */
  beat(everyMs: number): void;
  /** Whether the coordinator answers what is sent from now on: false if the connection ends before it has. */
  answers(): Promise<boolean>;
  end(why: string): void;
  /** Closes the connection and waits briefly for the other side. */
  close(): Promise<void>;
};

export type ConnectionNeeds = {
  readonly url: string;
  readonly connect: Connect;
  readonly clock: Clock;
  readonly log: Log;
  /** How the farm is known; see shared/credentials/pin.ts. */
  readonly pins?: readonly string[];
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
  const socket = needs.connect(needs.url, needs.pins);
  let failure: string | undefined;
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

  const pings = createPings(socket);

  socket.on("open", needs.onOpen);
  socket.on("message", (data, isBinary) => {
    noteMessage();
    const message = isBinary ? undefined : readMessage(String(data));
    if (message) needs.onMessage(message);
    else end("the coordinator sent an invalid message");
  });
  socket.on("ping", noteMessage);
  socket.on("pong", noteMessage);
  socket.on("pong", pings.answered);
  socket.on("error", (error) => log.warn("The connection failed", { why: failure ?? messageOf(error) }));
  socket.on("unexpected-response", (_, response) => {
    void refusalIn(response).then((why) => {
      failure = why;
      socket.terminate();
    });
  });
  socket.on("close", () => {
    stopWatch();
    pings.end();
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
        void pings.send();
      });
    },
    answers: pings.send,
    close: () => closeSocket(socket, clock),
  };
};

/** Each ping has its answer, in their order. While the socket closes there is none: whoever asks then waits for its end. */
const createPings = (socket: WebSocket) => {
  let waiting: ((isAnswered: boolean) => void)[] = [];
  let isOver = false;
  return {
    send: (): Promise<boolean> =>
      new Promise((resolve) => {
        if (isOver) return resolve(false);
        waiting.push(resolve);
        if (socket.readyState === WebSocket.OPEN) socket.ping();
      }),
    answered: (): void => waiting.shift()?.(true),
    end: (): void => {
      isOver = true;
      for (const each of waiting) each(false);
      waiting = [];
    },
  };
};

const closeSocket = (socket: WebSocket, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    if (socket.readyState === WebSocket.CLOSED) return resolve();
    const stopWaiting = clock.after(closeLimitMs, () => socket.terminate());
    socket.once("close", () => {
      stopWaiting();
      resolve();
    });
    socket.close(1000);
  });

/** Longer answers are not the coordinator's. */
const longestAnswer = 4000;

/** Why something that answers at the farm's address does not accept agents, in its own words if it has any. */
const refusalIn = async (response: IncomingMessage): Promise<string> => {
  const status = `Unexpected server response: ${response.statusCode}`;
  let text = "";
  try {
    for await (const chunk of response) {
      text += String(chunk);
      if (text.length > longestAnswer) return status;
    }
    return answer.parse(JSON.parse(text)).message;
  } catch {
    return status; // broken off, or not an answer of ours
  }
};

const answer = z.object({ message: z.string() });

const readMessage = (text: string): CoordinatorMessage | undefined => {
  try {
    return coordinatorMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // not JSON: the caller closes the socket and reports it
  }
};
