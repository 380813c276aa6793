import { retryAfterMs } from "../../outbound/retry-after.ts";
import { connectionError, failureAt } from "../storage-error.ts";
import type { Failure } from "../troubles.ts";

/** The service's error names. */
const byName: Readonly<Record<string, Failure>> = {
  InvalidAccessKeyId: "accessKey",
  SignatureDoesNotMatch: "accessKey",
  CredentialsProviderError: "accessKey",
  ExpiredToken: "expiredToken",
  InvalidToken: "badToken",
  AccessDenied: "denied",
  NoSuchBucket: "noBucket",
  NoSuchKey: "missing",
  NotFound: "missing",
  InvalidObjectState: "archived",
  EntityTooLarge: "tooLarge",
  QuotaExceeded: "full",
  RequestTimeTooSkewed: "skewedClock",
  PermanentRedirect: "region",
  AuthorizationHeaderMalformed: "region",
  TimeoutError: "silent",
};

/** Converts any error of a call to the service into a readable one. */
export const s3Error = (error: unknown, uri: string): Error => {
  const [name, status] = [nameOf(error), statusOf(error)];
  const known = byName[name];
  if (known) return failureAt(uri, known, name);
  if (status === undefined) return connectionError(error, uri);
  const said = `status ${status}`;
  // A refused signature of a request without a body, such as HEAD, has no other word than 403.
  if (status === 401 || status === 403) return failureAt(uri, "deniedOrKey", said);
  if (status === 507) return failureAt(uri, "full", said);
  if (status < 500 && status !== 429) return connectionError(error, uri);
  return failureAt(uri, "failing", said, afterMsOf(error));
};

/** Of a request that sent bytes: most services answer only "try later" if they cannot store them. */
export const storingError = (error: unknown, uri: string): Error =>
  notStored.has(statusOf(error) ?? 0)
    ? failureAt(uri, "notStored", `status ${statusOf(error)}`, afterMsOf(error))
    : s3Error(error, uri);

const notStored: ReadonlySet<number> = new Set([500, 502, 503, 504]);

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "");

const afterMsOf = (error: unknown): number => {
  // The client keeps the response with the error.
  const { $response } = (error ?? {}) as { readonly $response?: { readonly headers?: Record<string, string> } };
  return retryAfterMs($response?.headers ?? {});
};

export const statusOf = (error: unknown): number | undefined => {
  // The client's errors include details of the response.
  const { $metadata } = (error ?? {}) as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata?.httpStatusCode;
};
