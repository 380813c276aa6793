import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { AppError, messageOf } from "../../../../shared/basics/errors.ts";
import type { Secret } from "../../../../shared/basics/secret.ts";

/** How to connect. */
export type Address = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password: string | undefined;
  readonly ssl: ConnectionOptions | false;
  /** What the server's own lists show. */
  readonly application_name: string;
};

const example = "postgres://USER@HOST:5432/DATABASE";
/** The options of an address; those of libpq that make sense here, under its names. */
const known = new Set(["sslmode", "sslrootcert", "host", "passwordfile", "replica"]);

/**
 * Reads `postgres://USER@HOST:PORT/DATABASE`. The password is in a file or was given, but never in the address: lists of
 * processes show addresses. Only a server on this machine is spoken to without TLS.
 */
export const readAddress = (text: string, password?: Secret): Address => {
  const url = parse(text);
  const options = url.searchParams;
  const unknown = [...options.keys()].find((name) => !known.has(name));
  if (unknown !== undefined)
    throw refused(`it has the unknown option ${unknown}; known are ${[...known].sort().join(", ")}`);
  if (url.password !== "")
    throw refused("it contains a password: put that into a file named by passwordfile=, or into PGPASSWORD");
  const host = options.get("host") ?? decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1");
  if (host === "") throw refused("it names no host");
  if (url.username === "") throw refused("it names no user");
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === "") throw refused("it names no database");
  return {
    host,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    database,
    password: passwordIn(options.get("passwordfile")) ?? password?.reveal(),
    ssl: tlsOf(host, options.get("sslmode") ?? undefined, options.get("sslrootcert") ?? undefined),
    application_name: "mediafarm",
  };
};

/** The server that `replica=HOST:PORT` names for lists and reports: the same database, user and checks of certificates. */
export const readReplica = (text: string, password?: Secret): Address | undefined => {
  const url = parse(text);
  const place = url.searchParams.get("replica");
  if (place === null) return undefined;
  if (!/^(\[[0-9a-f:]+\]|[\w.-]+)(:\d{1,5})?$/i.test(place))
    throw refused(`replica is HOST or HOST:PORT, not ${place}`);
  for (const name of ["replica", "host"]) url.searchParams.delete(name);
  const [own, options] = [url.pathname, url.searchParams.toString()];
  const rest = `${own}${options === "" ? "" : `?${options}`}`;
  return readAddress(`postgres://${url.username}${url.password ? `:${url.password}` : ""}@${place}${rest}`, password);
};

/** An address without what is nobody's business, for messages. */
export const shownAddress = ({ host, port, database }: Address): string => `${host}:${port}/${database}`;

const refused = (why: string, cause?: unknown): AppError =>
  new AppError("VALIDATION_FAILED", `The address of the store cannot be used: ${why}. It looks like ${example}`, {
    cause,
  });

const parse = (text: string): URL => {
  const [scheme, ...rest] = text.split("://");
  if (!/^postgres(ql)?$/.test(scheme ?? "")) throw refused("it does not begin with postgres://");
  try {
    // A scheme of the web, so that all parts are read as in its addresses; a socket's folder leaves the host empty.
    return new URL(`postgres://${rest.join("://")}`);
  } catch (cause) {
    throw refused("it is no address", cause);
  }
};

const passwordIn = (file: string | null): string | undefined =>
  file === null ? undefined : readFile(file, "the password").replace(/\r?\n$/, "");

const readFile = (file: string, what: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw refused(`the file with ${what} cannot be read (${messageOf(cause)})`, cause);
  }
};

const isLocal = (host: string): boolean =>
  host.startsWith("/") || host === "localhost" || host === "::1" || /^127\./.test(host);

/** The server's certificate is always checked, also its name. Names of modes are those of libpq. */
const tlsOf = (host: string, mode: string | undefined, authority: string | undefined): Address["ssl"] => {
  const chosen = mode ?? (isLocal(host) ? "disable" : "verify-full");
  if (chosen === "disable") {
    if (isLocal(host)) return false;
    throw refused("sslmode=disable is for a server on this machine only");
  }
  if (chosen !== "verify-full") throw refused(`sslmode is verify-full or disable, not ${chosen}`);
  const ca = authority === undefined ? {} : { ca: readFile(authority, "the authority's certificate") };
  // An address of the network is checked as well, but may not be told to the server before.
  return { rejectUnauthorized: true, ...(isIP(host) ? { host } : { servername: host }), ...ca };
};
