import { Socket } from "node:net";
import { Client, FTPError } from "basic-ftp";
import { defined } from "../../../shared/basics/defined.ts";
import type { CredentialOf } from "../../../shared/credentials/credentials.ts";
import type { FtpEntry } from "../../foreign/ftp-listing.ts";
import type { ReadForeign } from "../../foreign/pool.ts";
import type { Guard } from "../../outbound/guard.ts";
import { withReadMemory } from "../../outbound/read-memory.ts";
import { readHostAddress } from "../host-address.ts";
import { trust } from "../http/request.ts";
import { failureAt } from "../storage-error.ts";
import { ftpError } from "./errors.ts";

const silenceMs = 30_000;
/** A folder of a hundred thousand files; more of a server's words is not kept. */
const maxListingBytes = 32 * 1024 * 1024;

/** Logs in to the server of an address; without credentials as `anonymous`. */
export const connect = async (
  uri: string,
  credential: CredentialOf<"ftp"> | undefined,
  { guard, read }: { readonly guard: Guard; readonly read: ReadForeign },
): Promise<Client> => {
  const { host, port, username } = readHostAddress(uri);
  const tls = credential?.tls ?? (/^ftps:/i.test(uri) ? "explicit" : "none");
  const client = new Client(silenceMs, { allowSeparateTransferHost: false, maxListingBytes });
  if (tls === "none") client.ftp._newSocket = () => withReadMemory((onread) => new Socket({ onread }));
  // The library gives on what this gives, also a promise: a large listing is parsed in a thread.
  client.parseList = (text) => listing(read, uri, text) as never;
  const at = port ?? credential?.port ?? (tls === "implicit" ? 990 : 21);
  try {
    await client.access({
      // Data connections go to the same address: the server's own word for it is not taken.
      ...{ host: await guard.check(host, at), port: at },
      ...defined({ user: credential?.username ?? username, password: credential?.password?.reveal() }),
      secure: tls === "implicit" ? "implicit" : tls === "explicit",
      ...(tls !== "none" && { secureOptions: { ...trust(credential?.ca), servername: host } }),
    });
    return client;
  } catch (error) {
    // A server without TLS may reply that one must log in first, which reads like a wrong password.
    const isRefusedTls = tls === "explicit" && error instanceof FTPError && !client.ftp.hasTLS;
    client.close();
    throw isRefusedTls ? failureAt(uri, "noTls", `reply ${error.code}`) : ftpError(error, uri);
  }
};

const listing = (read: ReadForeign, uri: string, text: string): Promise<FtpEntry[]> =>
  read(
    "ftp",
    { uri, text },
    { size: text.length, what: `the listing of ${uri}`, signal: new AbortController().signal },
  );
