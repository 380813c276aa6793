import { abilities } from "../../../shared/storage.ts";
import { storageOfServer } from "../hidden-names.ts";
import { readHostAddress } from "../host-address.ts";
import { createPool } from "../pool.ts";
import type { Provider } from "../storage.ts";
import { createServer } from "./server.ts";

// As OpenSSH supports it; other servers are refused with a message, instead of promising less.
const has = abilities("createOnly", "atomicReplace", "showsWhole", "rename", "ranges", "listing", "writing");

/** Files over SSH. */
export const sftp: Provider = {
  abilities: has,
  open: ({ keys, hostKeys, guard, clock }) => {
    const addresses = new Map<string, string>();
    const pool = createPool({
      clock,
      open: async (name) => {
        const uri = addresses.get(name) ?? name;
        const { connect } = await import("./connect.ts");
        return connect(uri, keys.of(uri, "sftp"), { hostKeys, guard });
      },
      close: (connection) => connection.close(),
      isClosed: ({ isClosed }) => isClosed,
    });
    /** One login for all addresses of a host with the same credentials. */
    const nameOf = (uri: string): string => {
      const { host, port, username } = readHostAddress(uri);
      const name = JSON.stringify([host, port, username, keys.of(uri, "sftp")]);
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
