import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests of one connection that may wait for the one before them. */
export const mostPipelined = 100;

type Line = { readonly waiting: (() => void)[]; isBusy: boolean; isCut: boolean };

/**
 * Handles the requests of each connection one after the other, and others' in between: Node would begin all that a
 * client has sent at once. A connection on which too many wait is cut off, and `cutOff` hears of it.
 */
export const servePipelines = (server: Server, cutOff: (socket: Socket) => void): void => {
  const handlers = server.listeners("request") as ((request: IncomingMessage, response: ServerResponse) => void)[]; // Fastify's
  const lines = new WeakMap<Socket, Line>();
  const lineOf = (socket: Socket): Line => {
    const found = lines.get(socket) ?? { waiting: [], isBusy: false, isCut: false };
    lines.set(socket, found);
    return found;
  };
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const line = lineOf(request.socket);
    if (line.isCut) return;
    const run = (): void => {
      line.isBusy = true;
      response.once("close", () => setImmediate(next, line));
      for (const handle of handlers) handle.call(server, request, response);
    };
    if (!line.isBusy) return run();
    line.waiting.push(run);
    if (line.waiting.length <= mostPipelined) return;
    cutOff(request.socket);
    cut(line, request.socket);
  });
};

const next = (line: Line): void => {
  line.isBusy = false;
  line.waiting.shift()?.();
};

/** What is left of its bytes is still parsed, but not handled. */
const cut = (line: Line, socket: Socket): void => {
  line.isCut = true;
  line.waiting.length = 0;
  socket.destroy();
};
