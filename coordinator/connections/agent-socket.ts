import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { AppError, messageOf } from "../../shared/errors.ts";
import {
  type AgentMessage,
  type CoordinatorMessage,
  type Fence,
  maxHelloBytes,
  maxMessageBytes,
} from "../../shared/protocol.ts";
import type { Connection } from "../memory/node-entry.ts";
import type { Farm } from "../work/farm.ts";
import { type Admission, admitNode } from "./admit.ts";
import { noteDeparture, takeMessage, takeMisfit } from "./messages.ts";
import type { RareLog } from "./rare-log.ts";
import { fenceOf, readMessage } from "./read-message.ts";

/** A socket that does not identify itself within this time is closed. */
const helloWithinMs = 10_000;
/** The number of invalid or failed messages on one connection after which the agent counts as broken. */
export const mostMisfits = 100;

type Door = {
  readonly farm: Farm;
  readonly admission: Admission;
  /** Logs events of unauthenticated clients. */
  readonly warn: RareLog;
  /** The socket's agent has been admitted. */
  readonly known: () => void;
};

/** Serves one agent's socket from its first message to its end. */
export const serveAgent = ({ farm, admission, warn, known }: Door, socket: WebSocket, wire: Duplex): void => {
  const gather = gatheringOn(wire);
  const connection: Connection = {
    send: (message: CoordinatorMessage) => {
      gather();
      socket.send(JSON.stringify(message));
    },
    close: () => socket.terminate(),
  };
  let nodeId: number | undefined;
  let isAsked = false;
  let misfits = 0;
  const stopWaiting = farm.clock.after(helloWithinMs, () => {
    if (nodeId === undefined) socket.terminate();
  });
  const tell = (why: string) => warn({ node: nodeId }, why);
  const breakOff = (why: string) => {
    tell(`closing an agent's socket: ${why}`);
    socket.close(1008, Buffer.from(why).subarray(0, 100));
  };

  const hear = async (message: AgentMessage) => {
    if (message.type === "hello") {
      if (isAsked) throw new Error("hello was said twice");
      isAsked = true;
      nodeId = await admitNode(farm, admission, message, connection, warn);
      if (nodeId === undefined) return socket.close();
      known();
      // It disconnected during admission: its close event came before we knew which node it was.
      if (socket.readyState !== socket.OPEN) noteDeparture(farm, nodeId, connection);
      return;
    }
    if (nodeId === undefined) throw new Error(`${message.type} was said before hello was answered`);
    if (!farm.registry.isCurrent(nodeId, connection)) return;
    await takeMessage(farm, nodeId, message);
  };

  /** The attempt that it names has failed; the node's other attempts continue. */
  const hearMisfit = async (about: { readonly type: AgentMessage["type"]; readonly fence: Fence }, why: string) => {
    misfits += 1;
    if (nodeId === undefined || misfits > mostMisfits) return breakOff(`not a message: ${why}`);
    if (!farm.registry.isCurrent(nodeId, connection)) return;
    tell(`an agent's ${about.type} cannot be used: ${why}`);
    await takeMisfit(farm, nodeId, about, why);
  };

  const recover = (message: AgentMessage, problem: unknown): Promise<void> => {
    const fence = fenceOf(message);
    if (nodeId === undefined || fence === undefined || isPassing(problem)) throw problem;
    farm.log.error({ err: problem, node: nodeId, type: message.type }, "an agent's message broke");
    return hearMisfit({ type: message.type, fence }, messageOf(problem));
  };

  const giveUp = (problem: unknown) => {
    tell(`hanging up on an agent: ${messageOf(problem)}`);
    socket.terminate();
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
    if (nodeId !== undefined) noteDeparture(farm, nodeId, connection);
  });
};

/** A full disk, or the coordinator is stopping: the message may be handled when it is sent again. */
const isPassing = (problem: unknown): boolean => problem instanceof AppError && problem.code === "UNAVAILABLE";

/** Sends everything written until the end of this moment in one packet: usually an answer and the next task. */
const gatheringOn = (wire: Duplex): (() => void) => {
  let isGathering = false;
  return () => {
    if (isGathering) return;
    isGathering = true;
    wire.cork();
    process.nextTick(() => {
      isGathering = false;
      wire.uncork();
    });
  };
};
