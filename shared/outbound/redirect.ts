import { TaskError } from "../model/failure.ts";

type Sent = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
};

/** The only headers that another host may see after a redirect. */
const harmless = /^(accept|content-type|user-agent|idempotency-key)$/i;

/**
 * The next request after a redirect; undefined if there is none. Another origin gets neither credentials nor a body, and an
 * encrypted request never continues unencrypted.
 */
export const redirectedRequest = (sent: Sent, status: number, location: string): Sent | undefined => {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  if (!URL.canParse(location, sent.url))
    throw new TaskError("receiver", "The receiver redirects to something that is not an address");
  const [from, to] = [new URL(sent.url), new URL(location, sent.url)];
  if (to.protocol !== "http:" && to.protocol !== "https:") {
    throw new TaskError("receiver", `The receiver redirects to ${to.protocol}, which is neither http nor https`);
  }
  if (from.protocol === "https:" && to.protocol === "http:") {
    throw new TaskError("receiver", `${from.host} redirects from https to http, which is not followed`);
  }
  const isSame = from.origin === to.origin;
  const headers = Object.entries(sent.headers).filter(([name]) => isSame || harmless.test(name));
  const next = { url: to.href, headers: Object.fromEntries(headers) };
  const keepsBody = status !== 303 && (status > 303 || sent.method !== "POST");
  if (keepsBody && sent.body !== undefined && !isSame) {
    throw new TaskError(
      "receiver",
      `${from.host} redirects to ${to.host}, which was not named to get what is sent: name its address instead`,
    );
  }
  if (keepsBody) {
    return { ...next, method: sent.method, body: sent.body };
  }
  return { ...next, headers: without(next.headers, /^content-type$/i), method: "GET", body: undefined };
};

const without = (headers: Readonly<Record<string, string>>, name: RegExp): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([key]) => !name.test(key)));
