import { abilities } from "../../../shared/files/storage.ts";
import { storageOfServer } from "../hidden-names.ts";
import { readLogin } from "../host-address.ts";
import { createPool } from "../pool.ts";
import type { Provider } from "../storage.ts";
import { sftpError } from "./errors.ts";
import { createServer } from "./server.ts";

// As OpenSSH supports it; other servers are refused with a message, instead of promising less.
const has = abilities(
  "createOnly",
  "atomicReplace",
  "showsWhole",
  "rename",
  "ranges",
  "continues",
  "listing",
  "writing",
);

/** Files over SSH. */
export const sftp: Provider = {
  abilities: has,
  open: ({ keys, hostKeys, guard, clock, patience }) => {
    const credentialOf = (uri: string) => keys.of(uri, "sftp");
    const pool = createPool({
      clock,
      loginOf: (uri) => readLogin(uri, credentialOf(uri)),
      open: async (uri) => {
        const { connect } = await import("./connect.ts");
        return connect(uri, credentialOf(uri), { hostKeys, guard });
      },
      close: (connection) => connection.close(),
      errorOf: sftpError,
      isClosed: ({ isClosed }) => isClosed,
    });
    return storageOfServer({ server: createServer(pool), abilities: has, clock, patience });
  },
};
