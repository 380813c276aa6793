import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

/** A way to a server on loopback that can keep what is said to it, and say it once whoever said it is gone. */
export type HeldLine = {
  readonly port: number;
  /** The next connection that says such a text says nothing more to the server, beginning with that; resolves once it did. */
  readonly hold: (text: string) => Promise<void>;
  /** Breaks the held connection for who opened it. The server's end stays open. */
  readonly cut: () => void;
  /** Says what was kept; resolves once the server has read it to its end and hung up. */
  readonly release: () => Promise<void>;
  readonly stop: () => void;
};

type Connection = { readonly near: Socket; readonly far: Socket; held: Buffer[] | undefined };

export const startHeldLine = async (target: { readonly port: number }): Promise<HeldLine> => {
  const open = new Set<Connection>();
  let awaited: { readonly text: string; readonly found: () => void } | undefined;
  const held = (): Connection[] => [...open].filter((each) => each.held !== undefined);

  const server = createServer((near) => {
    const connection: Connection = { near, far: connect(target.port, "127.0.0.1"), held: undefined };
    const { far } = connection;
    open.add(connection);
    near.on("data", (chunk) => {
      if (awaited && chunk.includes(awaited.text)) {
        connection.held = [];
        awaited.found();
        awaited = undefined;
      }
      if (connection.held) connection.held.push(chunk);
      else far.write(chunk);
    });
    far.on("data", (chunk) => near.write(chunk));
    near.on("error", () => undefined).on("close", () => connection.held ?? far.destroy());
    far
      .on("error", () => undefined)
      .on("close", () => {
        open.delete(connection);
        near.destroy();
      });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    port: (server.address() as AddressInfo).port, // it listens on a port, not on a pipe
    hold: (text) =>
      new Promise((found) => {
        awaited = { text, found };
      }),
    cut: () => {
      for (const { near } of held()) near.resetAndDestroy();
    },
    release: async () => {
      const ends = held().map(async ({ far, held: kept = [] }) => {
        const gone = new Promise<void>((resolve) => far.once("close", () => resolve())); // the server may reset it
        far.end(Buffer.concat(kept));
        await gone;
      });
      await Promise.all(ends);
    },
    stop: () => {
      server.close();
      for (const { near, far } of open) {
        near.destroy();
        far.destroy();
      }
    },
  };
};
