import { abilities } from "../../../shared/storage.ts";
import { storageOfServer } from "../hidden-names.ts";
import { readHostAddress } from "../host-address.ts";
import { createPool } from "../pool.ts";
import type { Provider } from "../storage.ts";
import { createServer } from "./server.ts";

// The protocol has no "only if the name is free" and does not define renaming over another file.
const has = abilities("showsWhole", "rename", "ranges", "listing", "writing");

/** FTP servers, with TLS if the address begins with ftps or the credentials ask for it. */
export const ftp: Provider = {
  abilities: has,
  open: ({ keys, guard, clock }) => {
    const addresses = new Map<string, string>();
    const pool = createPool({
      clock,
      open: async (name) => {
        const uri = addresses.get(name) ?? name;
        const { connect } = await import("./connect.ts");
        return connect(uri, keys.of(uri, "ftp"), guard);
      },
      close: (client) => client.close(),
      isClosed: (client) => client.closed,
    });
    /** One login for all addresses of a host with the same credentials. */
    const nameOf = (uri: string): string => {
      const { host, port, username } = readHostAddress(uri);
      const name = JSON.stringify([host, port, username, keys.of(uri, "ftp")]);
      addresses.set(name, uri);
      return name;
    };
    const server = createServer({
      use: (uri, fn) => pool.use(nameOf(uri), fn),
      take: (uri) => pool.take(nameOf(uri)),
    });
    return storageOfServer({ server, abilities: has, clock });
  },
};
