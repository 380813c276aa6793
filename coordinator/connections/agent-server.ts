import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { WebSocketServer } from "ws";
import { agentPath } from "../../shared/api/api.ts";
import { maxHelloBytes, maxMessageBytes } from "../../shared/protocol/messages.ts";
import type { Doors } from "../doors/doors.ts";
import type { Files } from "../files/files.ts";
import type { Admission } from "./admit.ts";
import { serveAgent } from "./agent-socket.ts";
import { createMessageReader } from "./message-reader.ts";
import { createRateLimitedLog } from "./rate-limited-log.ts";

/** The WebSocket endpoint for agents: one socket per node, `hello` first, then messages in order of arrival. */
export const createAgentServer = (farm: Files, server: Server, admission: Admission, doors: Doors) => {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });
  const warn = createRateLimitedLog(farm.log, farm.clock);
  const reader = createMessageReader(farm.clock);
  const upgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (socket.destroyed) return;
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
      serveAgent({ farm, admission, warn, reader, known }, webSocket, socket);
    });
  };
  server.on("upgrade", upgrade);
  return {
    /** Resolves once every socket is closed and its end was recorded. */
    close: async (): Promise<void> => {
      server.off("upgrade", upgrade);
      for (const client of sockets.clients) client.terminate();
      await new Promise((resolve) => sockets.close(resolve));
      reader.stop();
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
