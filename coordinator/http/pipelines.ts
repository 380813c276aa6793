import { IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests of one connection that may wait for the one before them. */
export const mostPipelined = 100;

/** Connections that were cut off in the midst of what they have sent. */
const cutOff = new WeakSet<Socket>();

/**
 * A request. Of those that follow on a connection that was cut off, it says that they go over to another protocol: Node
 * then leaves the rest of the bytes alone, which may be thousands of requests that nobody will handle.
 */
export class PipelinedMessage extends IncomingMessage {
  declare private asked: boolean | null; // Node sets it before this class could
  get upgrade(): boolean | null {
    return this.asked || cutOff.has(this.socket);
  }
  set upgrade(asked: boolean | null) {
    this.asked = asked;
  }
}

/** What a server needs so that every request comes here: by itself, Node would answer those without a `Host` header. */
export const ofPipelines = { IncomingMessage: PipelinedMessage, requireHostHeader: false } as const;

type Line = { readonly waiting: (() => void)[]; isBusy: boolean };

/**
 * Handles the requests of each connection one after the other, and others' in between: Node would begin all that a
 * client has sent at once. A connection on which too many wait is cut off, and `onCut` hears of it.
 */
export const servePipelines = (server: Server, onCut: (socket: Socket) => void): void => {
  const handlers = server.listeners("request") as ((request: IncomingMessage, response: ServerResponse) => void)[]; // Fastify's
  const lines = new WeakMap<Socket, Line>();
  const lineOf = (socket: Socket): Line => {
    const found = lines.get(socket) ?? { waiting: [], isBusy: false };
    lines.set(socket, found);
    return found;
  };
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (cutOff.has(request.socket)) return;
    const line = lineOf(request.socket);
    const run = (): void => {
      line.isBusy = true;
      response.once("close", () => setImmediate(next, line));
      for (const handle of handlers) handle.call(server, request, response);
    };
    if (!line.isBusy) return run();
    line.waiting.push(run);
    if (line.waiting.length <= mostPipelined) return;
    onCut(request.socket);
    line.waiting.length = 0;
    cutOff.add(request.socket);
    request.socket.destroy();
  });
  // Node would refuse these by itself, however many there are. Whoever knows no other expectation may ignore it.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
};

const next = (line: Line): void => {
  line.isBusy = false;
  line.waiting.shift()?.();
};
