import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

/** `up`: from the agent to the coordinator. */
type Ways = readonly ("up" | "down")[];

/** A line between an agent and its coordinator that a test can cut, or leave open and forward nothing over. */
export const startRelay = async (target: { readonly port: number }) => {
  const pairs = new Set<readonly [Socket, Socket]>();
  let stalled: Ways = [];

  const server = createServer((near) => {
    const far = connect(target.port, "127.0.0.1"); // asked each time: a database's place changes with a failover
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on("data", (chunk) => to.write(chunk));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
    hold(pair, stalled);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe

  const hold = ([near, far]: readonly [Socket, Socket], ways: Ways): void => {
    if (ways.includes("up")) near.pause();
    if (ways.includes("down")) far.pause();
  };

  return {
    port,
    /** Open sockets stay open, new ones open, and nothing comes through: no way, or what is said one way alone. */
    stall: (...ways: Ways): void => {
      stalled = ways.length === 0 ? ["up", "down"] : ways;
      for (const pair of pairs) hold(pair, stalled);
    },
    /** What was held back comes through, late. */
    resume: (): void => {
      stalled = [];
      for (const pair of pairs) for (const socket of pair) socket.resume();
    },
    cut: (): void => {
      for (const [near, far] of pairs) {
        near.resetAndDestroy();
        far.resetAndDestroy();
      }
    },
    stop: async (): Promise<void> => {
      for (const [near, far] of pairs) {
        near.destroy();
        far.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
