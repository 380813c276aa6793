import { type Api, api, type InputOf, type OutputOf, type ParamsOf, type RouteName } from "./api.ts";
import { AppError, type ErrorCode, errorCodes } from "./errors.ts";

export type ClientOptions = {
  /** Ends in /v1, as `up` prints it. */
  readonly baseUrl: string;
  readonly oapiKey: string;
  readonly oapiSecret: string;
  readonly authKey: string;
  readonly authSecret: string;
  /** The date, YYYYMMDD, up to which this client knows the API. */
  readonly compliance?: string;
  readonly fetch?: typeof fetch;
};

export type Client = {
  readonly [N in RouteName]: (
    args: ParamsOf<Api[N]["path"]> & InputOf<N>,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<OutputOf<N>>;
} & { readonly events: (options: { signal: AbortSignal }) => Promise<ReadableStream<Uint8Array>> };

type Args = Record<string, unknown>;

/**
 * The typed client, made from the route table. It logs in by itself and once more when its token has expired. A refusal
 * becomes an AppError with the server's code and words; a server that cannot be reached, one with UNAVAILABLE.
 */
export const createClient = (options: ClientOptions): Client => {
  const base = options.baseUrl.replace(/\/+$/, "");
  const send = options.fetch ?? fetch;
  let token: Promise<string> | undefined;

  const headers = (): Record<string, string> => ({
    authorization: `Basic ${btoa(`${options.oapiKey}:${options.oapiSecret}`)}`,
    "x-service-compliance": options.compliance ?? "20261101",
    "content-type": "application/json",
  });

  const login = async (): Promise<string> => {
    const body = JSON.stringify({ auth_key: options.authKey, auth_secret: options.authSecret });
    const response = await reach(send, `${base}/login`, { method: "POST", headers: headers(), body });
    return (await read<OutputOf<"login">>(response)).token;
  };

  const authorized = async (url: string, init: RequestInit): Promise<Response> => {
    for (const isLastTry of [false, true]) {
      token ??= login();
      const current = await token.catch((problem) => {
        token = undefined;
        throw problem;
      });
      const response = await reach(send, url, { ...init, headers: { ...headers(), "x-service-sapiauth": current } });
      if (response.status !== 401 || isLastTry) return response;
      token = undefined;
    }
    throw new AppError("NOT_AUTHENTICATED", "unreachable"); // the loop above always returns
  };

  const call = async (name: RouteName, args: Args, signal?: AbortSignal): Promise<unknown> => {
    const { method, path, access } = api[name];
    const { url, rest } = fill(access === "open" ? base.replace(/\/v1$/, "") : base, path, args);
    const body = Object.keys(rest).length > 0 ? JSON.stringify(rest) : undefined;
    if (method !== "GET") return read(await authorized(url, { method, body, signal }));
    return read(await authorized(body ? `${url}?${query(rest)}` : url, { method, signal }));
  };

  const calls = Object.keys(api).map((name) => [
    name,
    // Object.keys forgets that these are the table's names.
    (args: Args, more?: { signal?: AbortSignal }) => call(name as RouteName, args, more?.signal),
  ]);
  const events = async ({ signal }: { signal: AbortSignal }) => {
    const response = await authorized(`${base}/events`, { method: "GET", signal });
    if (!response.ok || !response.body) await read(response);
    return response.body;
  };
  // The mapped type says for each name what `call` does for all of them.
  return { ...Object.fromEntries(calls), events } as Client;
};

const fill = (base: string, path: string, args: Args): { url: string; rest: Args } => {
  const rest = { ...args };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { url: base + filled, rest };
};

/** Arrays and objects travel as JSON text, which every door of this API reads. */
const query = (args: Args): string =>
  Object.entries(args)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, typeof value === "object" ? JSON.stringify(value) : String(value)])
    .map(([key = "", value = ""]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join("&");

const reach = async (send: typeof fetch, url: string, init: RequestInit): Promise<Response> => {
  try {
    return await send(url, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new AppError("UNAVAILABLE", `No coordinator answers at ${new URL(url).origin}`, { cause });
  }
};

const read = async <T>(response: Response): Promise<T> => {
  const text = await response.text();
  const body = parseJson(text);
  if (response.ok && body !== undefined) return body as T; // the server made it from the same table
  const code =
    typeof body?.error === "string" && Object.hasOwn(errorCodes, body.error) ? (body.error as ErrorCode) : "INTERNAL";
  throw new AppError(code, body?.message ?? `The coordinator answered ${response.status}: ${text.slice(0, 200)}`, {
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
