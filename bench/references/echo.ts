import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { WebSocketServer } from "ws";
import { type Program, startProgram } from "../farms/program.ts";

export type Echo = AsyncDisposable & { readonly pid: number; readonly url: string };

/** The barest WebSocket server in a process of its own: what comes is sent back. */
export const startEcho = async (): Promise<Echo> => {
  const program: Program<{ pid: number; url: string }> = await startProgram("bench/references/echo.ts", ["serve"], {});
  return { ...program.ready, [Symbol.asyncDispose]: program.end };
};

const serve = async (): Promise<void> => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  await once(server, "listening");
  server.on("connection", (socket) =>
    socket.on("message", (data, isBinary) => socket.send(data, { binary: isBinary })),
  );
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  console.log(JSON.stringify({ pid: process.pid, url: `ws://127.0.0.1:${port}` }));
  process.once("SIGTERM", () => process.exit(0));
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await serve();
