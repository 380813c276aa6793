import type { z } from "zod";
import type { Api } from "../api.ts";
import { fillPath, parseResponse, queryOf, unreachable } from "../request.ts";
import type { ParamsOf } from "../route.ts";
import type { Ui } from "./ui-api.ts";

type Routes = Omit<Api, keyof Ui> & Ui;
export type UiName = keyof Routes;
export type UiArgs<N extends UiName> = ParamsOf<Routes[N]["path"]> & z.input<Routes[N]["input"]>;
export type UiAnswer<N extends UiName> = z.output<Routes[N]["returns"]>;

type Options = {
  /** Both tables of routes, or what this needs of them. */
  readonly routes: Readonly<Record<string, { readonly method: string; readonly path: string }>>;
  /** The address of a path below /ui/v1. */
  readonly urlOf: (path: string) => string;
  /** What every request has in addition to its own options. */
  readonly init: RequestInit & { readonly headers?: Readonly<Record<string, string>> };
};

export type UiClient = ReturnType<typeof createUiClient>;

/**
 * The routes for people, by name. A refusal becomes an AppError with the coordinator's own message, no response one
 * with UNAVAILABLE.
 */
export const createUiClient =
  ({ routes, urlOf, init }: Options) =>
  async <N extends UiName>(
    name: N,
    args: UiArgs<N>,
    more: { readonly signal?: AbortSignal } = {},
  ): Promise<UiAnswer<N>> => {
    const { method, path } = routes[name] as { method: string; path: string }; // every name has a route
    const { path: filled, rest } = fillPath(path, args);
    const url = urlOf(filled);
    const isRead = method === "GET";
    const headers = { ...init.headers, ...(isRead ? {} : { "content-type": "application/json" }) };
    const body = isRead ? undefined : JSON.stringify(rest);
    const response = await reach(isRead ? url + queryOf(rest) : url, { ...init, ...more, method, headers, body });
    return (await parseResponse(response)) as UiAnswer<N>; // the coordinator uses the same table
  };

const reach = async (url: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw unreachable("The coordinator does not answer", cause);
  }
};
