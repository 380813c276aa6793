import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { portProblem } from "../port.ts";
import type { Material } from "../tls/material.ts";

/** What a coordinator that stands by says to a request. */
type Answer = {
  readonly status: 200 | 307 | 400 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
};

const mostConnections = 2000;
/** When clients are to try again while nobody leads. */
const retryAfterSeconds = 2;

/**
 * Says where the leader is: the same request to that address does what was asked for. Without a leader it says when to try
 * again. Nothing is passed on, so that nobody comes to the leader in this machine's name.
 */
export const standbyAnswer = (url: string, leader: string | undefined): Answer => {
  const path = url.split("?", 1)[0];
  if (path === "/healthz") return { status: 200, headers: {}, body: { status: "ok" } };
  // A whole address in the place of a path would become a part of the leader's.
  if (!url.startsWith("/")) return { status: 400, headers: {}, body: said("VALIDATION_FAILED", "The path is missing") };
  // Balancers send requests where this succeeds.
  if (path === "/readyz") return unavailable("This coordinator stands by");
  if (leader === undefined) return unavailable("No coordinator leads this farm at the moment");
  const location = `${leader}${url}`;
  const body = said("UNAVAILABLE", `This coordinator stands by; the leader is at ${leader}`);
  return { status: 307, headers: { location }, body };
};

const unavailable = (message: string): Answer => ({
  status: 503,
  headers: { "retry-after": String(retryAfterSeconds) },
  body: said("UNAVAILABLE", message),
});

const said = (error: string, message: string) => ({ success: false, error, message });

/** Whether it answers by itself: who asks whether it lives must not wait for the store. */
const isAboutItself = (url: string): boolean => /^\/(?:healthz|readyz)(?:\?|$)/.test(url);

const words: Readonly<Record<Answer["status"], string>> = {
  200: "OK",
  307: "Temporary Redirect",
  400: "Bad Request",
  503: "Service Unavailable",
};

type Place = { readonly host: string; readonly port: number; readonly most?: number };

/**
 * Answers on the address of a coordinator while it does not lead. `leader` says who does. Closing it waits for nobody: who
 * is still connected is cut off, or a stranger could keep this coordinator from leading. Throws AppError if the port is not
 * available.
 */
export const startStandbyServer = async (
  { host, port, most = mostConnections }: Place,
  tls: Material | undefined,
  leader: () => Promise<string | undefined>,
): Promise<{ readonly close: () => Promise<void> }> => {
  const answer = async ({ url = "" }: IncomingMessage) =>
    standbyAnswer(url, isAboutItself(url) ? undefined : await leader().catch(() => undefined));
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = await answer(request);
    const text = JSON.stringify(body);
    response.writeHead(status, { ...common, ...headers, "content-length": Buffer.byteLength(text) }).write(text);
    // Many clients send their whole body before they read: a connection that is closed earlier would cost them the answer.
    if (!request.destroyed) await new Promise((resolve) => request.resume().once("close", resolve));
    response.end();
  };
  const server = tls
    ? createTlsServer({ cert: tls.certificate, key: tls.key, minVersion: "TLSv1.2" }, onRequest)
    : createServer(onRequest);
  const sockets = createSockets(most);
  server.on("connection", sockets.add);
  server.requestTimeout = 10_000;
  server.headersTimeout = 5000;
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    socket.on("error", () => socket.destroy());
    // Who does not end the connection as well would keep it.
    socket.on("finish", () => socket.destroy());
    void answer(request).then(({ status, headers, body }) => socket.end(rawAnswer(status, headers, body)));
  });
  server.on("tlsClientError", (_, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(portProblem({ host, port }, cause)));
    server.listen(port, host, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        sockets.cutOff();
      }),
  };
};

/**
 * All who are connected, also in the middle of a handshake or after an upgrade. It has one line for each, and strangers are all
 * that it knows: an answer takes a moment, so who has stayed longest makes room.
 */
const createSockets = (most: number) => {
  const all = new Set<Socket>();
  return {
    add: (socket: Socket): void => {
      all.add(socket);
      socket.once("close", () => all.delete(socket));
      const [oldest] = all;
      if (all.size > most) oldest?.destroy();
    },
    cutOff: (): void => {
      for (const each of all) each.destroy();
    },
  };
};

const common = { "content-type": "application/json", "cache-control": "no-store", connection: "close" };

const rawAnswer = (status: Answer["status"], headers: Answer["headers"], body: object): string => {
  const text = JSON.stringify(body);
  const all = { ...common, ...headers, "content-length": String(Buffer.byteLength(text)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${words[status]}`, ...lines, "", text].join("\r\n");
};
