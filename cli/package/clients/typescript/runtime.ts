/** Where a farm is, and who asks. */
export type Options = {
  /** The farm's address, with or without /v1. */
  readonly baseUrl: string;
  /** The farm's pair. */
  readonly oapiKey: string;
  readonly oapiSecret: string;
  /** The API user. */
  readonly authKey: string;
  readonly authSecret: string;
  /** The date, YYYYMMDD, up to which the program knows the API. */
  readonly compliance?: string;
  readonly fetch?: typeof fetch;
};

export type Waiting = {
  readonly signal?: AbortSignal;
  /** Milliseconds between two questions; 1000 by default. */
  readonly everyMs?: number;
};

type Operation = {
  readonly method: string;
  readonly path: string;
  readonly needs: "nothing" | "account" | "token";
  readonly answers: "json" | "events" | "bytes";
};
type Args = Readonly<Record<string, unknown>>;
type CallOptions = { readonly signal?: AbortSignal; readonly headers?: Readonly<Record<string, string | undefined>> };
type Problem = {
  readonly error?: string;
  readonly message?: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
};

/**
 * What the farm refused, by the code of the answer. A farm that does not answer has the code UNAVAILABLE and the status 0, and
 * what could not be asked has the code VALIDATION_FAILED and the status 0.
 */
export class MediafarmError extends Error {
  override readonly name = "MediafarmError";
  readonly code: string;
  readonly status: number;
  readonly details: NonNullable<Problem["details"]>;
  /** Names the request in the farm's log. */
  readonly requestId: string | undefined;

  constructor(
    status: number,
    { error, message, details }: Problem,
    more: { readonly requestId?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message ?? `The farm answered ${status}`, { cause: more.cause });
    this.code = error ?? "INTERNAL";
    this.status = status;
    this.details = details ?? [];
    this.requestId = more.requestId;
  }
}

/** A function for each operation, and `waitForJob`. */
export const createCalls = (operations: Readonly<Record<string, Operation>>, options: Options) => {
  const send = createSender(options);
  const call = (operation: Operation, args: Args = {}, more: CallOptions = {}) => {
    if (operation.answers === "events") return eventsOf(send(operation, args, more));
    const answer = send(operation, args, more);
    return operation.answers === "bytes" ? answer : answer.then((response) => response.json());
  };
  const calls = Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      (args?: Args, more?: CallOptions) => call(operation, args, more),
    ]),
  );
  const waitForJob = async ({ job_id }: { readonly job_id: string }, { signal, everyMs = 1000 }: Waiting = {}) => {
    const fields = ["id", "name", "status", "substatus", "progress", "error", "start_time", "end_time"];
    while (true) {
      const asked = { job_id, fields };
      const answer = await calls.getJobInfo?.(asked, signal && { signal });
      const job = answer as { readonly status?: string }; // what this operation answers
      if (job.status === "completed" || job.status === "failed") return job;
      await sleep(everyMs, signal);
    }
  };
  return { ...calls, waitForJob };
};

/** Sends requests with both layers of credentials; an expired token is replaced once. */
const createSender = ({ fetch: ask = fetch, ...options }: Options) => {
  const origin = options.baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
  const common = {
    authorization: `Basic ${btoa(`${options.oapiKey}:${options.oapiSecret}`)}`,
    "x-service-compliance": options.compliance ?? "20261101",
  };
  let token: Promise<string> | undefined;

  const request = async (method: string, path: string, init: RequestInit): Promise<Response> => {
    try {
      // The API redirects nowhere, and credentials follow no one.
      return await ask(origin + path, { ...init, method, redirect: "manual" });
    } catch (cause) {
      if (init.signal?.aborted) throw cause;
      throw new MediafarmError(0, { error: "UNAVAILABLE", message: `No answer from ${origin}` }, { cause });
    }
  };
  const login = async (): Promise<string> => {
    const body = JSON.stringify({ auth_key: options.authKey, auth_secret: options.authSecret });
    const headers = { ...common, "content-type": "application/json" };
    const response = await sound(await request("POST", "/v1/login", { headers, body }));
    const { token: made } = (await response.json()) as { readonly token: string }; // what this operation answers
    return made;
  };
  const currentToken = async (): Promise<string> => {
    token ??= login();
    try {
      return await token;
    } catch (problem) {
      token = undefined;
      throw problem;
    }
  };

  return async (
    { method, path, needs }: Operation,
    args: Args,
    { signal, headers }: CallOptions,
  ): Promise<Response> => {
    const { filled, rest } = fillPath(path, args);
    const hasBody = method !== "GET" && Object.keys(rest).length > 0;
    const place = method === "GET" ? filled + queryOf(rest) : filled;
    for (let isLastTry = needs !== "token"; ; isLastTry = true) {
      const own = Object.entries(headers ?? {}).filter((each): each is [string, string] => each[1] !== undefined);
      const all = {
        ...common,
        ...(hasBody && { "content-type": "application/json" }),
        ...(needs === "token" && { "x-service-sapiauth": await currentToken() }),
        ...Object.fromEntries(own),
      };
      const body = hasBody ? JSON.stringify(rest) : null;
      const response = await request(method, place, { headers: all, body, ...(signal && { signal }) });
      if (response.status !== 401 || isLastTry) return sound(response);
      await response.body?.cancel();
      token = undefined;
    }
  };
};

/** Throws for a response that refuses something. */
const sound = async (response: Response): Promise<Response> => {
  if (response.ok) return response;
  const text = await response.text();
  const requestId = response.headers.get("x-request-id") ?? undefined;
  throw new MediafarmError(response.status, problemIn(text), { requestId });
};

const problemIn = (text: string): Problem => {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.slice(0, 200) }; // something between the program and the farm answered
  }
};

const fillPath = (path: string, args: Args) => {
  const rest: Record<string, unknown> = { ...args };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    if (isStep(value)) {
      const message = `${name} cannot be ${JSON.stringify(value)}`;
      throw new MediafarmError(0, { error: "VALIDATION_FAILED", message, details: [{ path: name, message }] });
    }
    return encodeURIComponent(value);
  });
  return { filled, rest };
};

/** In an address, nothing and dots do not name what they stand for: the request would go to another route. */
const isStep = (value: string): boolean => /^\.{0,2}$/.test(value);

/** Lists and objects travel as JSON text. */
const queryOf = (args: Args): string => {
  const words = Object.entries(args).flatMap(([name, value]) => {
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    return value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`];
  });
  return words.length > 0 ? `?${words.join("&")}` : "";
};

/** Server-sent events, until the stream ends or the caller leaves. */
async function* eventsOf(answered: Promise<Response>): AsyncGenerator<{ id: string | undefined; event: unknown }> {
  const reader = (await answered).body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    while (true) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return;
      rest += value;
      const blocks = rest.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const lines = block.split("\n");
        const [data, id] = ["data: ", "id: "].map((start) =>
          lines.find((line) => line.startsWith(start))?.slice(start.length),
        );
        if (data !== undefined) yield { id, event: JSON.parse(data) };
      }
    }
  } finally {
    await reader?.cancel();
  }
}

const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", leave);
      resolve();
    }, ms);
    signal?.addEventListener("abort", leave, { once: true });
  });
