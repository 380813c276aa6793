import { toRevealedJson } from "../../../shared/basics/secret.ts";
import type { CredentialOf } from "../../../shared/credentials/credentials.ts";
import { definitionError } from "../../../shared/model/failure.ts";
import type { Guard } from "../../outbound/guard.ts";
import { type Answer, type Ask, createRequest, drain } from "../http/request.ts";
import { expectStatus } from "../http/status.ts";
import { noCredentials } from "../keys.ts";
import { failureAt, StorageError } from "../storage-error.ts";

/** `swift://container/object`. Names are taken literally: nothing is decoded. */
export const readAddress = (uri: string): { readonly container: string; readonly object: string } => {
  const [, container, object = ""] = /^swift(?:stack)?:\/\/([^/]+)(?:\/(.*))?$/is.exec(uri) ?? [];
  if (container !== undefined) return { container, object };
  throw definitionError(`${uri} is not an address such as swift://container/object`);
};

/** Sends a request for an address; `query` and the rest are the service's. */
export type SwiftAsk = Omit<Ask, "uri"> & { readonly uri: string; readonly query?: Readonly<Record<string, string>> };

export type Session = {
  ask(ask: SwiftAsk): Promise<Answer>;
};

type Opened = { readonly storageUrl: string; readonly token: string };

/** Logs in with version 1 authentication (`X-Auth-User`), and again when a token expires. */
export const createSessions = (guard: Guard) => {
  const opened = new Map<string, Promise<Opened>>();
  return (credential: CredentialOf<"swift"> | undefined, uri: string): Session => {
    if (!credential) throw noCredentials(uri);
    // Requests carry only the token: never name and password.
    const request = createRequest({
      guard,
      credentialOf: () => (credential.ca === undefined ? undefined : { ca: credential.ca }),
    });
    const name = toRevealedJson(credential);
    const open = (): Promise<Opened> => {
      const now = logIn(credential, request);
      opened.set(name, now);
      now.catch(() => opened.delete(name));
      return now;
    };
    const ask = async ({ uri: address, query, headers, ...rest }: SwiftAsk, isLast: boolean): Promise<Answer> => {
      const { storageUrl, token } = await (opened.get(name) ?? open());
      const url = urlOf(storageUrl, address, query);
      const answer = await request({ ...rest, uri: url, headers, secrets: { "x-auth-token": token } });
      if (answer.status !== 401 || isLast || typeof rest.body === "object") return { ...answer, uri: address };
      await drain(answer);
      opened.delete(name);
      return ask({ uri: address, ...(query && { query }), ...(headers && { headers }), ...rest }, true);
    };
    return { ask: (wanted) => ask(wanted, false) };
  };
};

const urlOf = (storageUrl: string, address: string, query: SwiftAsk["query"]): string => {
  const { container, object } = readAddress(address);
  const path = [container, ...(object === "" ? [] : object.split("/"))].map(encodeURIComponent).join("/");
  return `${storageUrl.replace(/\/+$/, "")}/${path}${query ? `?${new URLSearchParams(query)}` : ""}`;
};

const logIn = async (
  { auth_url, username, password }: CredentialOf<"swift">,
  request: ReturnType<typeof createRequest>,
): Promise<Opened> => {
  const secrets = { "x-auth-user": username, "x-auth-key": password.reveal() };
  const answer = await request({ method: "GET", uri: auth_url, secrets });
  await drain(answer);
  if (answer.status === 401 || answer.status === 403) {
    throw failureAt(auth_url, "login", `status ${answer.status}`);
  }
  const { headers: said } = await expectStatus(answer, 200, 204);
  const [storageUrl, token] = [said["x-storage-url"], said["x-auth-token"]];
  if (typeof storageUrl === "string" && typeof token === "string") return { storageUrl, token };
  throw new StorageError("storage", `${auth_url}: the login works, but the service names no storage`);
};
