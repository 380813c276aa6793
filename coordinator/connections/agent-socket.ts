import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { isUnavailable, messageOf } from "../../shared/basics/errors.ts";
import {
  type AgentMessage,
  type CoordinatorMessage,
  type Fence,
  maxHelloBytes,
  maxMessageBytes,
} from "../../shared/protocol/messages.ts";
import type { Files } from "../files/files.ts";
import { quarantineForBreach } from "../nodes/health.ts";
import type { Connection } from "../nodes/node-entry.ts";
import { type Admission, admitNode } from "./admit.ts";
import { takeDisconnect, takeInvalidMessage, takeMessage } from "./messages.ts";
import type { RateLimitedLog } from "./rate-limited-log.ts";
import { fenceIn, readMessage } from "./read-message.ts";

/** A socket that does not identify itself within this time is closed. */
const helloWithinMs = 10_000;
/** The number of invalid or failed messages on one connection after which the agent counts as broken. */
export const mostInvalidMessages = 100;

type Door = {
  readonly farm: Files;
  readonly admission: Admission;
  /** Whether a node that just broke its protocol has done so too often. */
  readonly isTooMuch: (nodeId: number) => boolean;
  /** Logs events of unauthenticated clients. */
  readonly warn: RateLimitedLog;
  /** The socket's agent has been admitted. */
  readonly known: () => void;
};

/** Serves one agent's socket from its first message to its end. */
export const serveAgent = (
  { farm, admission, warn, known, isTooMuch }: Door,
  socket: WebSocket,
  wire: Duplex,
): void => {
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
    hangUp(why);
    if (nodeId === undefined || !farm.registry.isCurrent(nodeId, connection) || !isTooMuch(nodeId)) return;
    quarantineForBreach(farm, nodeId).catch(giveUp);
  };

  const hear = async (message: AgentMessage) => {
    if (message.type === "hello") {
      if (isAsked) throw new Error("hello was said twice");
      isAsked = true;
      nodeId = await admitNode(farm, admission, message, connection, warn);
      if (nodeId === undefined) return socket.close();
      known();
      // It disconnected during admission: its close event came before we knew which node it was.
      if (socket.readyState !== socket.OPEN) takeDisconnect(farm, nodeId, connection);
      return;
    }
    if (nodeId === undefined) throw new Error(`${message.type} was said before hello was answered`);
    if (!farm.registry.isCurrent(nodeId, connection)) return;
    await takeMessage(farm, nodeId, message);
  };

  /** The attempt that it names has failed; the node's other attempts continue. */
  const hearMisfit = async (about: { readonly type: AgentMessage["type"]; readonly fence: Fence }, why: string) => {
    misfits += 1;
    if (nodeId === undefined || misfits > mostInvalidMessages) return breakOff(`not a message: ${why}`);
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

  socket.on("message", (data) => {
    const heard = readMessage(data.toString(), nodeId === undefined ? maxHelloBytes : maxMessageBytes);
    if (heard.kind === "breach") breakOff(heard.why);
    else if (heard.kind === "misfit") hearMisfit(heard.about, heard.why).catch(giveUp);
    else
      hear(heard.message)
        .catch((problem) => recover(heard.message, problem))
        .catch(giveUp);
  });
  socket.on("error", (problem) => tell(`an agent's socket failed: ${problem.message}`));
  socket.on("close", () => {
    stopWaiting();
    if (nodeId !== undefined) takeDisconnect(farm, nodeId, connection);
  });
};

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
      socket.send(JSON.stringify(message));
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
