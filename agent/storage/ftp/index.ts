import { abilities } from "../../../shared/files/storage.ts";
import { storageOfServer } from "../hidden-names.ts";
import { readLogin } from "../host-address.ts";
import { createPool } from "../pool.ts";
import type { Provider } from "../storage.ts";
import { ftpError } from "./errors.ts";
import { createServer } from "./server.ts";

// The protocol has no "only if the name is free" and does not define renaming over another file.
const has = abilities("showsWhole", "rename", "ranges", "continues", "listing", "writing");

/** FTP servers, with TLS if the address begins with ftps or the credentials ask for it. */
export const ftp: Provider = {
  abilities: has,
  open: ({ keys, guard, clock, patience, read }) => {
    const credentialOf = (uri: string) => keys.of(uri, "ftp");
    const pool = createPool({
      clock,
      loginOf: (uri) => readLogin(uri, credentialOf(uri)),
      open: async (uri) => {
        const { connect } = await import("./connect.ts");
        return connect(uri, credentialOf(uri), { guard, read });
      },
      close: (client) => client.close(),
      errorOf: ftpError,
      isClosed: (client) => client.closed,
    });
    return storageOfServer({ server: createServer(pool), abilities: has, clock, patience });
  },
};
