import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Server } from "node:https";
import type { Socket } from "node:net";
import { AppError } from "../../shared/basics/errors.ts";

/** A connection that sends nothing for this many milliseconds is closed. */
export const greetingMs = 10_000;

/** The first byte of every TLS connection. */
const handshakeByte = 0x16;

/**
 * Answers plain HTTP on a TLS port with a message. Browsers are redirected to https. Programs get an error instead:
 * their credentials have just crossed the network unencrypted, and people should know. `shakeHands` says when a TLS
 * connection may begin.
 */
export const answerPlainHttp = (
  server: Server,
  shakeHands: (socket: Socket, begin: () => void) => void = (_, begin) => begin(),
): void => {
  const [accept] = server.listeners("connection") as ((socket: Socket) => void)[]; // Node's own: it begins TLS
  const plain = createServer({ headersTimeout: greetingMs, requestTimeout: greetingMs, keepAliveTimeout: 1 }, answer);
  plain.on("upgrade", (request: IncomingMessage, socket: Socket) => {
    socket.on("error", () => socket.destroy());
    endWith(socket, `${upgradeStatus} Upgrade Required`, bodyOf(request), ["Upgrade: TLS/1.2"]);
  });
  plain.on("clientError", (_, socket) => socket.destroy());
  const silent = new Set<Socket>();
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    silent.add(socket);
    const known = () => silent.delete(socket);
    socket.setTimeout(greetingMs, () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.once("close", known);
    socket.once("data", (chunk: Buffer) => {
      known();
      socket.setTimeout(0);
      socket.removeAllListeners("timeout");
      socket.pause();
      socket.unshift(chunk);
      const goOn = (take: () => void): void => {
        take();
        process.nextTick(() => socket.resume());
      };
      if (chunk[0] !== handshakeByte) goOn(() => plain.emit("connection", socket));
      else shakeHands(socket, () => goOn(() => accept?.call(server, socket)));
    });
  });
  server.on("close", () => {
    for (const socket of silent) socket.destroy();
    plain.closeAllConnections();
  });
};

const answer = (request: IncomingMessage, response: ServerResponse): void => {
  response.setHeader("connection", "close");
  const { method, url = "/", headers } = request;
  const isPage =
    method === "GET" && !url.startsWith("/v1") && !url.startsWith("/ui/") && headers.accept?.includes("html");
  if (isPage && headers.host) return void response.writeHead(307, { location: `https://${headers.host}${url}` }).end();
  response.writeHead(upgradeStatus, { "content-type": "application/json; charset=utf-8", upgrade: "TLS/1.2" });
  response.end(JSON.stringify(bodyOf(request)));
};

const upgradeStatus = 426;

/** Answers where there is only a socket. The other side may stay open for as long as it likes: ours does not wait. */
export const endWith = (socket: Socket, status: string, body: object, more: readonly string[] = []): void => {
  const text = JSON.stringify(body);
  const headers = ["Content-Type: application/json; charset=utf-8", `Content-Length: ${Buffer.byteLength(text)}`];
  const head = [`HTTP/1.1 ${status}`, ...more, "Connection: close", ...headers, "\r\n"].join("\r\n");
  socket.end(head + text, () => socket.destroy());
};

const bodyOf = ({ headers, url = "/" }: IncomingMessage) => {
  const isAgent = headers.upgrade !== undefined;
  const message = isAgent
    ? "This farm speaks TLS now: join again with the token that mediafarm join-token shows on its machine"
    : `This port speaks HTTPS: use https://${headers.host ?? ""}${url.slice(0, 200)}`;
  const { code, details } = new AppError("VALIDATION_FAILED", message);
  return { success: false, error: code, message, details };
};
