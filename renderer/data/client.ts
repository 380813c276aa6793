import type { z } from "zod";
import { type Api, api, type ParamsOf } from "../../shared/api.ts";
import { AppError } from "../../shared/errors.ts";
import { fillPath, queryOf, readAnswer } from "../../shared/exchange.ts";
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
  const { path: filled, rest } = fillPath(path, args);
  const url = uiUrl(filled);
  const isRead = method === "GET";
  const response = await reach(isRead ? url + queryOf(rest) : url, {
    method,
    signal: more.signal,
    credentials: "same-origin",
    cache: "no-store",
    ...(isRead ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(rest) }),
  });
  return (await readAnswer(response)) as Answer<N>; // the coordinator made it from the same table
};

const reach = async (url: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new AppError("UNAVAILABLE", "The coordinator does not answer", { cause });
  }
};
