import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { WrittenCredential } from "../../shared/credentials/credentials.ts";
import type { TestServer } from "./server.ts";

/** `up`: to the server. */
type Way = "up" | "down";

/**
 * A way to a server on loopback that counts the bytes on it, under another address of loopback and the server's own
 * ports. Data connections of FTP are followed too.
 */
export type Line = {
  readonly folder: string;
  readonly credential: WrittenCredential;
  readonly bytes: Readonly<Record<Way, number>>;
  /** Once so many bytes went that way, all is held until `act` is done; then every connection ends. */
  breakAfter(way: Way, bytes: number, act: () => Promise<void>): void;
  stop(): void;
};

const address = "127.0.0.3";

export const startLine = async ({ folder, credential }: TestServer): Promise<Line> => {
  const bytes = { up: 0, down: 0 };
  const servers = new Map<number, Server>();
  const sockets = new Set<Socket>();
  let plan: { readonly way: Way; readonly at: number; readonly act: () => Promise<void> } | undefined;

  const count = (way: Way, chunk: Buffer): void => {
    bytes[way] += chunk.length;
    if (!plan || plan.way !== way || bytes[way] < plan.at) return;
    const { act } = plan;
    plan = undefined;
    for (const socket of sockets) socket.pause();
    const held = [...sockets];
    void act().then(() => held.forEach((socket) => void socket.destroy()));
  };
  const forward = (way: Way, from: Socket, to: Socket): void => {
    from.on("data", async (chunk: Buffer) => {
      count(way, chunk);
      const port = way === "down" ? passivePort(chunk) : undefined;
      if (port !== undefined) {
        from.pause(); // the client calls that port as soon as it hears of it
        await listen(port);
        from.resume();
      }
      if (!to.write(chunk)) from.pause();
    });
    to.on("drain", () => from.resume());
    from.on("error", () => to.destroy()).on("close", () => to.destroy());
    from.on("end", () => to.end());
  };
  const listen = async (port: number): Promise<void> => {
    if (servers.has(port)) return;
    const server = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.once("close", () => sockets.delete(socket));
      }
      forward("up", near, far);
      forward("down", far, near);
    });
    servers.set(port, server);
    server.listen(port, address);
    await once(server, "listening");
  };

  await listen(portOf(folder, credential));
  const through = (text: string): string => text.replace("127.0.0.1", address);
  return {
    folder: through(folder),
    credential: JSON.parse(through(JSON.stringify(credential))),
    bytes,
    breakAfter: (way, more, act) => {
      plan = { way, at: bytes[way] + more, act };
    },
    stop: () => {
      for (const server of servers.values()) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

const portOf = (folder: string, credential: WrittenCredential): number => {
  const text = JSON.stringify([folder, credential]);
  return Number(/127\.0\.0\.1:(\d+)/.exec(text)?.[1]);
};

/** The port that an FTP server names for the next data connection. */
const passivePort = (chunk: Buffer): number | undefined => {
  const text = chunk.length < 200 ? chunk.toString("latin1") : "";
  const [, high, low] = /^227 .*\(\d+,\d+,\d+,\d+,(\d+),(\d+)\)/m.exec(text) ?? [];
  if (high !== undefined) return Number(high) * 256 + Number(low);
  const port = /^229 .*\(\|\|\|(\d+)\|\)/m.exec(text)?.[1];
  return port === undefined ? undefined : Number(port);
};
