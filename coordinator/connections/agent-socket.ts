import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { isUnavailable, messageOf } from "../../shared/basics/errors.ts";
import { toRevealedJson } from "../../shared/basics/secret.ts";
import {
  type AgentMessage,
  type CoordinatorMessage,
  type Fence,
  maxMessageBytes,
} from "../../shared/protocol/messages.ts";
import type { Files } from "../files/files.ts";
import { noteBreachLater } from "../nodes/health/breaches.ts";
import type { Connection } from "../nodes/node-entry.ts";
import { type Admission, admitNode } from "./admit.ts";
import type { MessageReader } from "./message-reader.ts";
import { takeDisconnect, takeInvalidMessage, takeMessage } from "./messages.ts";
import type { RateLimitedLog } from "./rate-limited-log.ts";
import { fenceIn, type ReadMessage } from "./read-message.ts";

/** A socket that does not identify itself within this time is closed. */
const helloWithinMs = 10_000;
/** The number of invalid or failed messages on one connection after which the agent counts as broken. */
export const mostInvalidMessages = 100;

type Door = {
  readonly farm: Files;
  readonly admission: Admission;
  /** Logs events of unauthenticated clients. */
  readonly warn: RateLimitedLog;
  readonly reader: MessageReader;
  /** The socket's agent has been admitted. */
  readonly known: () => void;
};

/** Serves one agent's socket from its first message to its end. */
export const serveAgent = ({ farm, admission, warn, reader, known }: Door, socket: WebSocket, wire: Duplex): void => {
  const connection = connectionOn(socket, wire);
  let nodeId: number | undefined;
  let isAsked = false;
  let misfits = 0;
  const stopWaiting = farm.clock.after(helloWithinMs, () => {
    if (nodeId === undefined) socket.terminate();
  });
  const tell = (why: string) => warn({ node: nodeId }, why);
  const { hangUp, giveUp } = createHangingUp(socket, tell);
  const breakOff = (why: string) => {
    if (nodeId !== undefined && farm.registry.isCurrent(nodeId, connection)) noteBreachLater(farm, nodeId, why);
    hangUp(why);
  };

  const hear = async (message: AgentMessage) => {
    if (message.type === "hello") {
      if (isAsked) return breakOff("said hello twice");
      isAsked = true;
      nodeId = await admitNode(farm, admission, message, connection, warn, addressOf(wire));
      if (nodeId === undefined) return socket.close();
      known();
      // It disconnected during admission: its close event came before we knew which node it was.
      if (socket.readyState !== socket.OPEN) takeDisconnect(farm, nodeId, connection);
      return;
    }
    if (nodeId === undefined) {
      if (!isAsked) breakOff(`said ${message.type} before hello`);
      return; // a node of an older version, whose hello is being considered: it says all that matters again after it
    }
    if (!farm.registry.isCurrent(nodeId, connection)) return;
    await takeMessage(farm, nodeId, message);
  };

  /** The attempt that it names has failed; the node's other attempts continue. */
  const hearMisfit = async (about: { readonly type: AgentMessage["type"]; readonly fence: Fence }, why: string) => {
    misfits += 1;
    if (nodeId === undefined || misfits > mostInvalidMessages) return breakOff(`sent what is not a message: ${why}`);
    if (!farm.registry.isCurrent(nodeId, connection)) return;
    tell(`an agent's ${about.type} cannot be used: ${why}`);
    await takeInvalidMessage(farm, nodeId, about, why);
  };

  const recover = (message: AgentMessage, problem: unknown): Promise<void> => {
    const fence = fenceIn(message);
    if (nodeId === undefined || fence === undefined || isUnavailable(problem)) throw problem;
    farm.log.error({ err: problem, node: nodeId, type: message.type }, "an agent's message broke");
    return hearMisfit({ type: message.type, fence }, messageOf(problem));
  };

  const handle = async (heard: ReadMessage): Promise<void> => {
    if (heard.kind === "breach") return breakOff(`sent ${heard.why}`);
    if (heard.kind === "misfit") return hearMisfit(heard.about, heard.why);
    return hear(heard.message).catch((problem) => recover(heard.message, problem));
  };
  const begin = async (heard: ReadMessage): Promise<void> => {
    if (socket.readyState === socket.OPEN) await handle(heard).catch(giveUp); // else it came behind a breach
  };
  const inTurn = createTurns(socket);
  const inOrder = createOrder((text) => reader.read(text, nodeId === undefined ? "stranger" : "node"), begin);
  socket.on("message", (data) => {
    if (socket.readyState !== socket.OPEN) return;
    const text = data.toString();
    inTurn(text.length, inOrder(text));
  });
  socket.on("error", (problem) => tell(`an agent's socket failed: ${problem.message}`));
  socket.on("close", () => {
    stopWaiting();
    if (nodeId !== undefined) takeDisconnect(farm, nodeId, connection);
  });
};

/** What may be in hand of one node's messages before it is read on: a node that says more waits, and nobody else. */
const most = { messages: 100, characters: 2 * maxMessageBytes };

/** Stops reading from the socket while too much of what it said is not handled yet. */
const createTurns = (socket: WebSocket) => {
  const open = { messages: 0, characters: 0 };
  return (characters: number, done: Promise<void>): void => {
    open.messages += 1;
    open.characters += characters;
    if (open.messages >= most.messages || open.characters >= most.characters) socket.pause();
    void done.finally(() => {
      open.messages -= 1;
      open.characters -= characters;
      if (socket.isPaused && open.messages < most.messages / 2 && open.characters < most.characters) socket.resume();
    });
  };
};

/**
 * Begins with each message in the order of arrival, also while one of them is read elsewhere; resolves once that message
 * was handled.
 */
const createOrder = (
  read: (text: string) => ReadMessage | Promise<ReadMessage>,
  begin: (heard: ReadMessage) => Promise<void>,
): ((text: string) => Promise<void>) => {
  let before: Promise<void> | undefined;
  return async (text) => {
    const heard = before ? before.then(() => read(text)) : read(text);
    if (!(heard instanceof Promise)) return begin(heard);
    const { promise: handled, resolve } = Promise.withResolvers<void>();
    const begun = heard.then((each) => {
      if (before === begun) before = undefined;
      void begin(each).finally(resolve);
    });
    before = begun;
    await handled;
  };
};

/** Bytes that wait for a node that does not read: behind so many it is not there any more. */
const mostUnreadBytes = 4 * maxMessageBytes;

/** Sends everything written until the end of this moment in one packet: usually an answer and the next task. */
const connectionOn = (socket: WebSocket, wire: Duplex): Connection => {
  let isGathering = false;
  const gather = () => {
    if (isGathering) return;
    isGathering = true;
    wire.cork();
    process.nextTick(() => {
      isGathering = false;
      wire.uncork();
    });
  };
  return {
    send: (message: CoordinatorMessage) => {
      gather();
      if (socket.bufferedAmount > mostUnreadBytes) socket.terminate();
      else socket.send(toRevealedJson(message));
    },
    close: () => socket.terminate(),
  };
};

/** Ends the connection of an agent that breaks the rules, or whose message cannot be handled. */
const createHangingUp = (socket: WebSocket, tell: (why: string) => void) => ({
  hangUp: (why: string) => {
    tell(`closing an agent's socket: ${why}`);
    socket.close(1008, Buffer.from(why).subarray(0, 100));
  },
  giveUp: (problem: unknown) => {
    tell(`hanging up on an agent: ${messageOf(problem)}`);
    socket.terminate();
  },
});

const addressOf = (wire: Duplex): string =>
  "remoteAddress" in wire && typeof wire.remoteAddress === "string" ? wire.remoteAddress : "";
