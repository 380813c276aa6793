import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { World } from "./world.ts";

/** Means that attackers share. All go on until their process is killed. */

/** Loopback has sixteen million addresses: attackers come from many. */
export const addressOf = (nr: number, amount = 8): string => `127.0.1.${1 + (nr % amount)}`;

const openFrom = (world: World, address: string): Socket => {
  const { hostname, port } = new URL(world.origin);
  return connect({ host: hostname, port: Number(port), localAddress: address }).on("error", () => undefined);
};

/** Keeps so many connections: `use` says something on each, and one that is cut off is replaced a little later. */
export const keepSockets = async (
  world: World,
  amount: number,
  use: (socket: Socket, nr: number) => void,
  { apartMs = 200, addresses = 8 } = {},
): Promise<void> => {
  const keep = async (nr: number): Promise<never> => {
    for (;;) {
      const socket = openFrom(world, addressOf(nr, addresses));
      socket.once("connect", () => use(socket, nr));
      await once(socket, "close").catch(() => undefined);
      await pause(apartMs);
    }
  };
  await Promise.all(Array.from({ length: amount }, async (_, nr) => pause(nr / 2).then(() => keep(nr))));
};

/** Says the same again and again on so many connections, as fast as it is read, and reads what is answered. */
export const shout = (world: World, amount: number, text: string | Buffer): Promise<void> =>
  keepSockets(world, amount, (socket) => {
    socket.resume();
    const more = (): void => {
      while (socket.writable && socket.write(text));
    };
    socket.on("drain", more);
    more();
  });

type Asked = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
};

/** So many at a time, each as soon as the one before is answered. */
export const ask = async (
  world: World,
  amount: number,
  make: (nr: number) => Asked,
  { isKept = true, addresses = 8 } = {},
): Promise<void> => {
  let nr = 0;
  const one = async (lane: number): Promise<never> => {
    const agent = new Agent({ keepAlive: isKept, maxSockets: 1, localAddress: addressOf(lane, addresses) });
    for (;;) {
      nr += 1;
      const { method = "GET", path, headers = {}, body } = make(nr);
      const asked = request(world.origin + path, {
        ...{ method, agent },
        headers: { ...headers, ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }) },
      });
      await new Promise<void>((resolve) => {
        asked.on("response", (response) => response.resume().on("close", resolve).on("error", resolve));
        asked.on("error", () => void pause(20).then(resolve));
        asked.end(body);
      });
    }
  };
  await Promise.all(Array.from({ length: amount }, (_, lane) => one(lane)));
};

/** Asks for something long so often, and reads nothing of it. */
export const askAndNotRead = (world: World, amount: number, head: string): Promise<void> =>
  keepSockets(world, amount, (socket) => {
    socket.pause();
    socket.write(head);
  });

/** Asks for something long so often, and reads a little of it now and then. */
export const readSlowly = (world: World, amount: number, head: string): Promise<void> =>
  keepSockets(world, amount, (socket) => {
    socket.pause();
    socket.write(head);
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.read(64)), 200);
  });

/** A request as it stands on the wire. */
export const wire = (
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { method = "GET", version = "1.1", body = "" } = {},
): string => {
  const all = { host: "127.0.0.1", ...headers, ...(body === "" ? {} : { "content-length": String(body.length) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/${version}\r\n${lines.join("")}\r\n${body}`;
};
