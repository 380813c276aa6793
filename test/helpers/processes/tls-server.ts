import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type TlsOptions } from "node:tls";

/** A TLS server on 127.0.0.2 that counts connections and what it hears after their handshakes. */
export const serveTls = async (options: TlsOptions) => {
  let [connections, heard] = [0, 0];
  const server = createServer(options, (socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      heard += chunk.length;
    });
  });
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, "127.0.0.2");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port, // a listening TCP server has one
    connections: () => connections,
    heard: () => heard,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
};
