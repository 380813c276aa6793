import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { agentPath } from "../../shared/api.ts";
import { messageOf } from "../../shared/errors.ts";
import {
  type AgentMessage,
  agentMessage,
  type CoordinatorMessage,
  maxHelloBytes,
  maxMessageBytes,
} from "../../shared/protocol.ts";
import type { Connection } from "../memory/node-entry.ts";
import type { Farm } from "../work/farm.ts";
import { type Admission, admitNode } from "./admit.ts";
import { noteDeparture, takeMessage } from "./messages.ts";

/** A socket that does not say who it is within this time is closed. */
const helloWithinMs = 10_000;

/** `close` resolves once every socket is gone and its leaving was noted. */
export type Hub = { readonly close: () => Promise<void> };

/** The agents' door: one WebSocket a node, `hello` first, then messages in the order in which they came. */
export const createHub = (farm: Farm, server: Server, admission: Admission): Hub => {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.url?.split("?")[0] !== agentPath) {
      socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => serve(farm, webSocket, socket, admission));
  };
  server.on("upgrade", upgrade);
  return {
    close: async () => {
      server.off("upgrade", upgrade);
      for (const client of sockets.clients) client.terminate();
      await new Promise((resolve) => sockets.close(resolve));
    },
  };
};

const serve = (farm: Farm, socket: WebSocket, wire: Duplex, admission: Admission): void => {
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
  const stopWaiting = farm.clock.after(helloWithinMs, () => {
    if (nodeId === undefined) socket.terminate();
  });

  const hear = async (message: AgentMessage) => {
    if (message.type === "hello") {
      if (isAsked) throw new Error("hello was said twice");
      isAsked = true;
      nodeId = await admitNode(farm, admission, message, connection);
      if (nodeId === undefined) socket.close();
      // It hung up while it was let in: its close was heard before anybody knew whose it was.
      else if (socket.readyState !== socket.OPEN) noteDeparture(farm, nodeId, connection);
      return;
    }
    if (nodeId === undefined) throw new Error(`${message.type} was said before hello was answered`);
    if (!farm.registry.isCurrent(nodeId, connection)) return;
    await takeMessage(farm, nodeId, message);
  };

  socket.on("message", (data) => {
    const message = readMessage(data, nodeId === undefined ? maxHelloBytes : maxMessageBytes);
    if (typeof message === "string") {
      farm.log.warn({ node: nodeId }, `closing an agent's socket: ${message}`);
      socket.close(1008, message.slice(0, 100));
      return;
    }
    hear(message).catch((problem) => {
      farm.log.error({ err: problem, node: nodeId, type: message.type }, "an agent's message broke");
      socket.terminate();
    });
  });
  socket.on("error", (problem) => farm.log.warn({ node: nodeId }, `an agent's socket failed: ${problem.message}`));
  socket.on("close", () => {
    stopWaiting();
    if (nodeId !== undefined) noteDeparture(farm, nodeId, connection);
  });
};

/** Has all that is written from now to the end of this moment leave in one piece: most often an answer and the next task. */
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

/** The message, or what is wrong with it. */
const readMessage = (data: RawData, limit: number): AgentMessage | string => {
  const text = data.toString();
  if (text.length > limit) return `a message of ${text.length} characters, and ${limit} are the limit`;
  try {
    const result = agentMessage.safeParse(JSON.parse(text));
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    return `not a message: ${issue?.path.join(".")}: ${issue?.message}`;
  } catch (problem) {
    return `not JSON: ${messageOf(problem)}`;
  }
};
