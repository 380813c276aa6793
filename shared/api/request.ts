import { AppError, type ErrorCode, errorCodes } from "../basics/errors.ts";
import { certificateProblem } from "../basics/tls-problem.ts";

/** How every client of the route table handles a request: fills the path, writes the query, reads the response. */
type Args = Record<string, unknown>;

/** `/jobs/{job_id}` with its names replaced by arguments, and the remaining arguments. */
export const fillPath = (path: string, args: object): { readonly path: string; readonly rest: Args } => {
  const rest: Args = { ...args };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    if (isStep(value)) throw new AppError("VALIDATION_FAILED", `${name} cannot be ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
  return { path: filled, rest };
};

/** In an address, nothing and dots do not name what they stand for: the request would go to another route. */
const isStep = (value: string): boolean => /^\.{0,2}$/.test(value);

/** `?a=1&b=["x"]` or nothing. Arrays and objects are sent as JSON text, which every route of this API accepts. */
export const queryOf = (args: Args): string => {
  const words = Object.entries(args)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, typeof value === "object" ? JSON.stringify(value) : String(value)])
    .map(([key = "", value = ""]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`);
  return words.length > 0 ? `?${words.join("&")}` : "";
};

/** The response's body. A refusal becomes an AppError with the coordinator's code and message. */
export const parseResponse = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  const body = parseJson(text);
  if (response.ok && body !== undefined) return body;
  throw errorOf(response.status, text, body);
};

/** The error of an answer that is no document. */
export const refusalOf = async (response: Response): Promise<AppError> => {
  const text = await response.text();
  return errorOf(response.status, text, parseJson(text));
};

const errorOf = (status: number, text: string, body: ErrorBody | undefined): AppError => {
  const code =
    typeof body?.error === "string" && Object.hasOwn(errorCodes, body.error) ? (body.error as ErrorCode) : "INTERNAL";
  return new AppError(code, body?.message ?? `The coordinator answered ${status}: ${text.slice(0, 200)}`, {
    details: body?.details ?? [],
  });
};

/** The error for a server that gave no answer; if TLS is the reason, it says what is wrong. */
export const unreachable = (words: string, cause: unknown): AppError => {
  const why = certificateProblem(cause);
  return new AppError("UNAVAILABLE", why === undefined ? words : `${words} in a way that can be trusted: ${why}`, {
    cause,
  });
};

type ErrorBody = { error?: unknown; message?: string; details?: { path: string; message: string }[] };

const parseJson = (text: string): ErrorBody | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a proxy's page, not ours: report the status instead
  }
};
