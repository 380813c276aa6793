import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import { getCACertificates } from "node:tls";
import { getOrInsert } from "../../../shared/basics/get-or-insert.ts";
import type { CredentialOf } from "../../../shared/credentials/credentials.ts";
import type { Guard } from "../../outbound/guard.ts";
import { guarded } from "../../outbound/guarded-agent.ts";
import { bytesOf } from "../hidden-names.ts";
import { type PacedFile, pipedFile } from "../paced-file.ts";
import { connectionError, failureAt, StorageError } from "../storage-error.ts";

export type Ask = {
  readonly method: string;
  readonly uri: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers for the server of this address alone: a redirect to another one does not take them along. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly body?: PacedFile | string;
  readonly signal?: AbortSignal;
};

export type Answer = {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** The final address after redirects. */
  readonly uri: string;
  readonly body: IncomingMessage;
};

/** Sends a request. The caller reads the body, or drops it with `drain`. */
export type Request = (ask: Ask) => Promise<Answer>;

type Credential = Pick<CredentialOf<"http">, "username" | "password" | "token" | "ca">;

/** A server that is silent for this long counts as gone. */
const silenceMs = 30_000;
const mostRedirects = 5;

export type RequestNeeds = {
  readonly credentialOf: (uri: string) => Credential | undefined;
  readonly guard: Guard;
};

export const createRequest = ({ credentialOf, guard }: RequestNeeds): Request => {
  const agents = createAgents(guard);
  const ask = async (wanted: Ask, redirects: number): Promise<Answer> => {
    const credential = credentialOf(wanted.uri);
    const answer = await send(wanted, credential, agents(wanted.uri, credential?.ca));
    const next = nextOf(answer, wanted);
    if (next === undefined) return answer;
    await drain(answer);
    if (redirects >= mostRedirects) throw new StorageError("storage", `${wanted.uri} redirects too many times`);
    // Credentials are looked up again: another host's address has different ones, or none.
    const { secrets = {}, ...rest } = wanted;
    const isSameServer = new URL(next).origin === new URL(wanted.uri).origin;
    return ask({ ...rest, uri: next, ...(isSameServer && { secrets }) }, redirects + 1);
  };
  return (wanted) => ask(wanted, 0);
};

/** Only requests without a body follow redirects; one that only adds a trailing slash means a folder. */
const nextOf = ({ status, headers: { location } }: Answer, { method, uri }: Ask): string | undefined => {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  if (method !== "GET" && method !== "HEAD") return undefined;
  const next = URL.parse(location, uri)?.href;
  if (next === undefined || !/^https?:/.test(next)) throw new StorageError("storage", `${uri} leads to no web address`);
  return next === `${uri}/` || new URL(next).pathname === `${new URL(uri).pathname}/` ? undefined : next;
};

const send = (ask: Ask, credential: Credential | undefined, agent: PlainAgent | TlsAgent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method, uri, body, signal } = ask;
    const url = URL.parse(uri);
    if (!url) return reject(new StorageError("definition", `${uri} is not a web address`));
    const headers: Record<string, string> = { ...authorization(credential, url), ...ask.headers, ...ask.secrets };
    if (typeof body === "object") headers["content-length"] = String(body.length);
    url.username = ""; // it is put into a header
    const start = url.protocol === "https:" ? tlsRequest : plainRequest;
    const request = start(url, { method, headers, agent, signal, timeout: silenceMs });
    const fail = (error: unknown): void => {
      reject(signal?.aborted ? signal.reason : connectionError(error, uri));
    };
    request.on("timeout", () => request.destroy(failureAt(uri, "silent")));
    request.on("error", fail);
    request.on("response", (message) =>
      resolve({ status: message.statusCode ?? 0, headers: message.headers, uri, body: message }),
    );
    if (typeof body === "object") pipedFile(body).pipe(request);
    else request.end(body);
  });

const authorization = (credential: Credential | undefined, url: URL): Record<string, string> => {
  const { token, username = decodeURIComponent(url.username), password } = credential ?? {};
  if (token) return { authorization: `Bearer ${token.reveal()}` };
  if (username === "") return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password?.reveal() ?? ""}`).toString("base64")}` };
};

/** Connections are kept for a moment, per set of trusted certificates. */
const createAgents = (guard: Guard) => {
  const plain = guarded(new PlainAgent({ keepAlive: true, keepAliveMsecs: 1000, timeout: 2000 }), guard);
  const trusting = new Map<string, TlsAgent>();
  return (uri: string, ca: string | undefined): PlainAgent | TlsAgent => {
    if (!/^https:/i.test(uri)) return plain;
    return getOrInsert(trusting, ca ?? "", () =>
      guarded(new TlsAgent({ keepAlive: true, timeout: 2000, ...trust(ca) }), guard),
    );
  };
};

/** Given certificates are trusted in addition to the system's. */
export const trust = (ca: string | undefined): { ca?: string[] } =>
  ca === undefined ? {} : { ca: [...getCACertificates("default"), ca] };

/** Makes the connection reusable, unless its body is longer than one that only tells why. */
export const drain = async ({ body }: Answer): Promise<void> => {
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > mostDrained) break; // which closes the connection
  }
};

const mostDrained = 1024 * 1024;

/** Reads a short body. */
export const textOf = async ({ body, uri }: Answer, most = 64 * 1024 * 1024): Promise<string> => {
  let size = 0;
  const counted = async function* () {
    for await (const part of body) {
      size += part.length;
      if (size > most) throw new StorageError("storage", `${uri} answers with more than ${most} bytes`);
      yield part;
    }
  };
  return (await bytesOf(counted())).toString("utf8");
};
