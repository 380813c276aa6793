/** Every error code of the API and its HTTP status. docs/api.md is generated from this table. */
export const errorCodes = {
  INVALID_JSON: { status: 400, means: "The body is not JSON" },
  VALIDATION_FAILED: {
    status: 400,
    means: "A field, parameter or header is missing or has a value that is not allowed",
  },
  NOT_AUTHENTICATED: {
    status: 401,
    means: "OAPI credentials, the token, a node's key or a person's session are missing, wrong or expired",
  },
  NOT_ALLOWED: { status: 403, means: "The caller is authenticated, but may not do this" },
  NOT_FOUND: { status: 404, means: "No such job, task, node or path" },
  METHOD_NOT_ALLOWED: {
    status: 405,
    means: "The path is there, but not for this method; the header Allow names those it takes",
  },
  CONFLICT: { status: 409, means: "The object is in a state that does not allow this" },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    means: "The Idempotency-Key was already used with a different body",
  },
  TOO_LARGE: { status: 413, means: "The body is larger than the limit" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, means: "The type of the body is not supported" },
  TOO_MANY_ATTEMPTS: { status: 429, means: "Too many wrong credentials from this address; wait before the next try" },
  INTERNAL: { status: 500, means: "A bug in Mediafarm; details are in its log" },
  UNAVAILABLE: {
    status: 503,
    means: "The coordinator is starting or stopping, or its disk is full or fails; try again later",
  },
  OUTCOME_UNKNOWN: {
    status: 504,
    means: "The farm's database did not say whether this was done; look before you repeat it",
  },
} as const satisfies Record<string, { readonly status: number; readonly means: string }>;

export type ErrorCode = keyof typeof errorCodes;

export type ErrorDetail = { readonly path: string; readonly message: string };

/** An error that a caller can act on. It names the problem and its place. Any other thrown value is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];

  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly details?: readonly ErrorDetail[] } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.details = options.details ?? [];
  }
}

/**
 * The store or the program is at fault, and not what was asked for: the disk is full, the database is away, the program is
 * stopping. The same may succeed when it is tried again.
 */
export const isUnavailable = (problem: unknown): boolean =>
  problem instanceof AppError && (problem.code === "UNAVAILABLE" || problem.code === "OUTCOME_UNKNOWN");

/** The message of any thrown value; `catch` gives `unknown`. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
