import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { WebSocketServer } from "ws";
import { agentPath } from "../../shared/api/api.ts";
import { maxHelloBytes, maxMessageBytes } from "../../shared/protocol/messages.ts";
import type { Doors } from "../doors/doors.ts";
import type { Files } from "../files/files.ts";
import type { Admission } from "./admit.ts";
import { serveAgent } from "./agent-socket.ts";
import { createRateLimitedLog } from "./rate-limited-log.ts";

/** Connections that a node may lose by breaking its protocol: fewer may be an accident of its network or its version. */
export const mostBreaches = 3;

/** Counts the breaches of each node since the coordinator began; there are not more counts than nodes. */
const createBreachCounter = () => {
  const breaches = new Map<number, number>();
  return (nodeId: number): boolean => {
    const count = (breaches.get(nodeId) ?? 0) + 1;
    breaches.set(nodeId, count >= mostBreaches ? 0 : count);
    return count >= mostBreaches;
  };
};

/** The WebSocket endpoint for agents: one socket per node, `hello` first, then messages in order of arrival. */
export const createAgentServer = (farm: Files, server: Server, admission: Admission, doors: Doors) => {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });
  const warn = createRateLimitedLog(farm.log, farm.clock);
  const isTooMuch = createBreachCounter();
  const upgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const refuse = (status: string) => {
      socket.on("error", () => socket.destroy());
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`, () => socket.destroy());
    };
    if (request.url?.split("?")[0] !== agentPath) return refuse("404 Not Found");
    doors.greet(socket, String(request.headers["x-forwarded-for"] ?? ""));
    if (socket.destroyed) return;
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const stopCounting = countGreeting(socket, doors);
      const known = () => {
        stopCounting();
        doors.know(socket, "node");
      };
      serveAgent({ farm, admission, warn, known, isTooMuch }, webSocket, socket);
    });
  };
  server.on("upgrade", upgrade);
  return {
    /** Resolves once every socket is closed and its end was recorded. */
    close: async (): Promise<void> => {
      server.off("upgrade", upgrade);
      for (const client of sockets.clients) client.terminate();
      await new Promise((resolve) => sockets.close(resolve));
    },
  };
};

/** A hello, and what frames it. */
const mostGreetingBytes = maxHelloBytes + 64 * 1024;

/** Whoever sends more before they are known, in however many frames, is cut off. Returns how to end that. */
const countGreeting = (socket: Socket, doors: Doors): (() => void) => {
  let sent = 0;
  const count = ({ length }: Buffer) => {
    sent += length;
    doors.hold(socket, length);
    if (sent > mostGreetingBytes) socket.destroy();
  };
  socket.on("data", count);
  return () => socket.off("data", count);
};
