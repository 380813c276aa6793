import { AppError } from "../basics/errors.ts";
import { unreachable } from "./request.ts";

export type Init = Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> | undefined };

/** Sends a request below /v1, or one of the open ones beside it, to the farm. */
export type Ask = (path: string, init: Init) => Promise<Response>;

/**
 * The addresses of a farm's coordinators. A request goes to the one that answered last; where nobody answers there, or nobody
 * leads, to the next. What could be done twice that way is sent again only if it cannot have arrived. Rejects with AppError
 * UNAVAILABLE if no address answers.
 */
export const createAddresses = (urls: readonly string[], send: typeof fetch): Ask => {
  const bases = urls.map((url) => url.replace(/\/+$/, "").replace(/\/v1$/, ""));
  let current = 0;
  const ask = async (path: string, init: Init, othersLeft: number): Promise<Response> => {
    const base = bases[current] ?? "";
    const tryNext = () => {
      current = (current + 1) % bases.length;
      return ask(path, init, othersLeft - 1);
    };
    try {
      const response = await reach(send, base + path, init);
      return response.status === 503 && othersLeft > 0 ? await tryNext() : response;
    } catch (problem) {
      if (init.signal?.aborted || problem instanceof AppError) throw problem;
      if (othersLeft > 0 && mayRepeat(init, problem)) return await tryNext();
      throw unreachable(`No coordinator answers at ${new URL(base).origin}`, problem);
    }
  };
  return (path, init) => ask(path, init, bases.length - 1);
};

/** A coordinator that stands by says where the leader is. Fetch itself would leave the credentials behind. */
const reach = async (send: typeof fetch, url: string, init: Init): Promise<Response> => {
  const response = await send(url, { ...init, redirect: "manual" });
  const location = response.status === 307 ? response.headers.get("location") : null;
  if (location === null || !isAsSafe(url, location)) return response;
  await response.body?.cancel();
  return send(location, { ...init, redirect: "manual" });
};

/** Nobody is sent from an encrypted address to one that is not. */
const isAsSafe = (from: string, to: string): boolean =>
  URL.canParse(to) && (new URL(to).protocol === "https:" || new URL(from).protocol === "http:");

/** Codes of Node with which no connection was made. */
const neverArrived: ReadonlySet<unknown> = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"],
]);

const mayRepeat = ({ method, headers }: Init, problem: unknown): boolean =>
  method !== "POST" || headers?.["idempotency-key"] !== undefined || codesOf(problem).some((c) => neverArrived.has(c));

/** The codes of an error and of those that caused it; a name with several addresses has one for each. */
const codesOf = (problem: unknown): unknown[] => {
  const { code, cause, errors } = (problem ?? {}) as { code?: unknown; cause?: unknown; errors?: unknown };
  return [code, ...(cause ? codesOf(cause) : []), ...(Array.isArray(errors) ? errors.flatMap(codesOf) : [])];
};
