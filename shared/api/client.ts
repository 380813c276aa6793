import { AppError } from "../basics/errors.ts";
import { createAddresses, type Init } from "./addresses.ts";
import { type Api, api, type InputOf, type OutputOf, type RouteName } from "./api.ts";
import { fillPath, parseResponse, queryOf, refusalOf } from "./request.ts";
import type { ParamsOf } from "./route.ts";

export type ClientOptions = {
  /** Ends in /v1, as printed by `up`. */
  readonly baseUrl: string;
  /** Where other coordinators of the same farm answer, in the same form. */
  readonly otherUrls?: readonly string[];
  readonly oapiKey: string;
  readonly oapiSecret: string;
  readonly authKey: string;
  readonly authSecret: string;
  /** The API version that this client knows, as a date: YYYYMMDD. */
  readonly compliance?: string;
  readonly fetch?: typeof fetch;
  /** Where a token is stored for the next client. Without it each client logs in. */
  readonly keptToken?: KeptToken;
};

export type KeptToken = { readonly read: () => string | undefined; readonly write: (token: string) => void };

type CallOptions = {
  readonly signal?: AbortSignal;
  /** Headers of the route, such as `idempotency-key`. */
  readonly headers?: Readonly<Record<string, string>>;
};

export type Client = {
  readonly [N in RouteName]: (
    args: ParamsOf<Api[N]["path"]> & InputOf<N>,
    options?: CallOptions,
  ) => Promise<OutputOf<N>>;
} & {
  readonly events: (options: { signal: AbortSignal }) => Promise<ReadableStream<Uint8Array>>;
  /** The bytes of an output file; from an offset, if it is still the file with this tag, where one is given. */
  readonly openOutput: (output: OutputPlace, options?: OpenOptions) => Promise<OpenedOutput>;
};

type OutputPlace = { readonly task_id: string; readonly position: number };
type OpenOptions = { readonly from?: number; readonly tag?: string; readonly signal?: AbortSignal };
export type OpenedOutput = {
  /** Where the bytes begin: 0 where the file is another one now. */
  readonly from: number;
  readonly body: ReadableStream<Uint8Array>;
  /** It names these bytes. */
  readonly tag: string;
};

type Args = Record<string, unknown>;

/**
 * The typed client, made from the route table. It logs in automatically, and again when its token has expired. A
 * refusal becomes an AppError with the server's code and message; an unreachable server becomes one with UNAVAILABLE.
 */
export const createClient = (options: ClientOptions): Client => {
  const ask = createAddresses([options.baseUrl, ...(options.otherUrls ?? [])], options.fetch ?? fetch);
  const kept = options.keptToken?.read();
  let token = kept === undefined ? undefined : Promise.resolve(kept);

  const headers = (): Record<string, string> => ({
    authorization: `Basic ${btoa(`${options.oapiKey}:${options.oapiSecret}`)}`,
    "x-service-compliance": options.compliance ?? "20261101",
    "content-type": "application/json",
  });

  const login = async (): Promise<string> => {
    const body = JSON.stringify({ auth_key: options.authKey, auth_secret: options.authSecret });
    const response = await ask("/v1/login", { method: "POST", headers: headers(), body });
    const answer = (await parseResponse(response)) as OutputOf<"login">; // the server uses the same table
    options.keptToken?.write(answer.token);
    return answer.token;
  };

  const authorized = async (path: string, init: Init): Promise<Response> => {
    for (const isLastTry of [false, true]) {
      token ??= login();
      const current = await token.catch((problem) => {
        token = undefined;
        throw problem;
      });
      const response = await ask(path, {
        ...init,
        headers: { ...headers(), ...init.headers, "x-service-sapiauth": current },
      });
      if (response.status !== 401 || isLastTry) return response;
      token = undefined;
    }
    throw new AppError("NOT_AUTHENTICATED", "unreachable"); // the loop above always returns
  };

  const call = async (name: RouteName, args: Args, { signal, headers }: CallOptions): Promise<unknown> => {
    const { method, path, access } = api[name];
    const { path: filled, rest } = fillPath(path, args);
    const place = (access === "open" ? "" : "/v1") + filled;
    if (method === "GET") return parseResponse(await authorized(place + queryOf(rest), { method, headers, signal }));
    const body = Object.keys(rest).length > 0 ? JSON.stringify(rest) : undefined;
    return parseResponse(await authorized(place, { method, headers, body, signal }));
  };

  const calls = Object.keys(api).map((name) => [
    name,
    // Object.keys forgets that these are the table's names.
    (args: Args, more: CallOptions = {}) => call(name as RouteName, args, more),
  ]);
  const events = async ({ signal }: { signal: AbortSignal }) => {
    const response = await authorized("/v1/events", { method: "GET", signal });
    if (!response.ok || !response.body) await parseResponse(response);
    return response.body;
  };
  const openOutput = async ({ task_id, position }: OutputPlace, { from = 0, tag, signal }: OpenOptions = {}) => {
    const range = from > 0 ? { range: `bytes=${from}-`, ...(tag && { "if-range": tag }) } : undefined;
    const { path } = fillPath("/v1/tasks/{task_id}/outputs/{position}", { task_id, position });
    const response = await authorized(path, { method: "GET", headers: range, signal });
    if (!response.ok || !response.body) throw await refusalOf(response);
    return {
      from: response.status === 206 ? from : 0,
      body: response.body,
      tag: response.headers.get("etag") ?? "",
    };
  };
  // The mapped type gives each name the type that `call` has for all of them.
  return { ...Object.fromEntries(calls), events, openOutput } as Client;
};
