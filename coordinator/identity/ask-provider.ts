import type { Ask } from "../../shared/outbound/ask.ts";

/** What the library of OpenID Connect asks over the network, and how. */
export type ProviderFetch = (url: string, options: FetchOptions) => Promise<Response>;
type FetchOptions = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/**
 * Has the library ask through the farm's guard: public addresses, those that the farm allows, and the issuer itself, which an
 * owner named. So an issuer may be in the studio's own network, but what it says about itself leads nowhere else there.
 */
export const fetchThrough =
  (ask: Ask, issuer: string, farmRules: readonly string[]): ProviderFetch =>
  async (url, { method, headers, body }) => {
    const rules = [...farmRules, ruleFor(issuer)];
    const text = body === undefined || body === null ? undefined : String(body); // a text, or parameters of a form
    const answer = await ask({ method, url, headers, body: text, rules });
    // No other number makes a response.
    const status = answer.status >= 200 && answer.status <= 599 ? answer.status : 502;
    const isEmpty = [204, 205, 304].includes(status);
    return new Response(isEmpty ? null : answer.body, {
      status,
      headers: answer.type ? { "content-type": answer.type } : {},
    });
  };

/** The outbound rule that allows exactly the issuer. */
export const ruleFor = (issuer: string): string => {
  const { hostname, protocol, port } = new URL(issuer);
  return `${hostname}:${port || usualPorts[protocol]}`;
};

const usualPorts: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" };
