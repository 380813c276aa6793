import type { z } from "zod";
import { type Api, api, type ParamsOf } from "../../shared/api.ts";
import { AppError, type ErrorCode, errorCodes } from "../../shared/errors.ts";
import { type Ui, ui, uiBase } from "../../shared/ui-api.ts";

type Routes = Omit<Api, keyof Ui> & Ui;
type Name = keyof Routes;
type Args<N extends Name> = ParamsOf<Routes[N]["path"]> & z.input<Routes[N]["input"]>;
export type Answer<N extends Name> = z.output<Routes[N]["returns"]>;

const routes: Record<string, { readonly method: string; readonly path: string }> = { ...api, ...ui };
/** Beside the page, wherever that was loaded from. */
export const uiUrl = (path: string): string => new URL(`.${uiBase}${path}`, document.baseURI).href;

/**
 * One request by its route's name. A refusal becomes an AppError with the coordinator's own words, no answer one with
 * UNAVAILABLE.
 */
export const request = async <N extends Name>(
  name: N,
  args: Args<N>,
  more: { readonly signal?: AbortSignal } = {},
): Promise<Answer<N>> => {
  const { method, path } = routes[name] as { method: string; path: string }; // every name has a route
  const { url, rest } = fill(path, args);
  const isRead = method === "GET";
  const response = await reach(isRead ? url + queryOf(rest) : url, {
    method,
    signal: more.signal,
    credentials: "same-origin",
    cache: "no-store",
    ...(isRead ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(rest) }),
  });
  return (await read(response)) as Answer<N>; // the coordinator made it from the same table
};

const fill = (path: string, args: object): { url: string; rest: Record<string, unknown> } => {
  const rest: Record<string, unknown> = { ...args };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { url: uiUrl(filled), rest };
};

/** Arrays travel as JSON text, which every door reads. */
const queryOf = (args: Record<string, unknown>): string => {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(args)) {
    if (value !== undefined) query.set(key, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return query.size > 0 ? `?${query}` : "";
};

const reach = async (url: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new AppError("UNAVAILABLE", "The coordinator does not answer", { cause });
  }
};

const read = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  const body = parseJson(text);
  if (response.ok && body !== undefined) return body;
  const code =
    typeof body?.error === "string" && Object.hasOwn(errorCodes, body.error) ? (body.error as ErrorCode) : "INTERNAL";
  throw new AppError(code, body?.message ?? `The coordinator answered ${response.status}`, {
    details: body?.details ?? [],
  });
};

type ErrorBody = { error?: unknown; message?: string; details?: { path: string; message: string }[] };

const parseJson = (text: string): ErrorBody | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a proxy's page, not ours: the status is told instead
  }
};
