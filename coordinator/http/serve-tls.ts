import type { Server, ServerOptions } from "node:https";
import type { FastifyInstance } from "fastify";
import type { Doors } from "../doors/doors.ts";
import { answerPlainHttp } from "../tls/first-byte.ts";
import type { Material } from "../tls/material.ts";
import type { Tls } from "../tls/tls.ts";

/** A slower handshake is cut off. */
const handshakeMs = 10_000;

/** What Node needs to serve HTTPS. */
export const tlsOptions = ({ certificate, key }: Material): ServerOptions => ({
  cert: certificate,
  key,
  minVersion: "TLSv1.2",
  handshakeTimeout: handshakeMs,
  ALPNProtocols: ["http/1.1"],
});

/** Renews the certificate while it serves, answers plain HTTP in words, and drops handshakes that fail. */
export const serveTls = (app: FastifyInstance, tls: Tls, port: number, doors?: Doors): void => {
  const server = app.server as unknown as Server; // the app was opened with `https`
  answerPlainHttp(server, doors?.shakeHands);
  // Node would report them as invalid requests, but nothing can be answered without encryption.
  server.removeAllListeners("tlsClientError");
  server.on("tlsClientError", (_, socket) => socket.destroy());
  tls.onRenewed(({ certificate, key }) => server.setSecureContext({ cert: certificate, key, minVersion: "TLSv1.2" }));
  // Browsers apply this to all ports of a host, so only a farm that owns its name's usual port may ask for it.
  if (tls.current().isOwn || port !== 443) return;
  app.addHook("onRequest", async (_, reply) => {
    reply.header("strict-transport-security", "max-age=31536000");
  });
};
