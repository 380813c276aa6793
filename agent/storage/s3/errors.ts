import type { Cause } from "../../../shared/causes.ts";
import { connectionError, StorageError } from "../storage-error.ts";

type Words = { readonly cause: Cause; readonly words: string };

const refusedKey = { cause: "definition", words: "the service refuses the access key or its secret" } as const;

/** The service's error names. */
const byName: Readonly<Record<string, Words>> = {
  InvalidAccessKeyId: refusedKey,
  SignatureDoesNotMatch: refusedKey,
  ExpiredToken: { cause: "definition", words: "the session token has expired" },
  InvalidToken: { cause: "definition", words: "the service refuses the session token" },
  AccessDenied: { cause: "storage", words: "the service refuses access" },
  Forbidden: { cause: "storage", words: "the service refuses access, or the key and its secret" },
  NoSuchBucket: { cause: "definition", words: "there is no such bucket" },
  NoSuchKey: { cause: "source", words: "no such object" },
  NotFound: { cause: "source", words: "no such object or bucket" },
  InvalidObjectState: { cause: "capability", words: "the object is archived and must be restored first" },
  EntityTooLarge: { cause: "storage", words: "the object is too large for the service" },
  QuotaExceeded: { cause: "storage", words: "the service has no space left for it" },
  RequestTimeTooSkewed: { cause: "machine", words: "the clock of this node is wrong" },
  PermanentRedirect: {
    cause: "definition",
    words: "the bucket is in another region: set the region in the credentials",
  },
  AuthorizationHeaderMalformed: {
    cause: "definition",
    words: "the bucket is in another region: set the region in the credentials",
  },
  CredentialsProviderError: { cause: "definition", words: "no credentials are given for it" },
};

/** Converts any error of a call to the service into a readable one. */
export const s3Error = (error: unknown, uri: string): Error => {
  const name = nameOf(error);
  const known = byName[name];
  if (known) return new StorageError(known.cause, `${uri}: ${known.words} (${name})`);
  const status = statusOf(error);
  if (status === 401 || status === 403) return new StorageError("storage", `${uri}: the service refuses access`);
  if (status === 507) return new StorageError("storage", `${uri}: the service has no space left`);
  if (status !== undefined && (status >= 500 || status === 429)) {
    return new StorageError("storage", `${uri}: the service fails just now (status ${status})`, true);
  }
  if (name === "TimeoutError") return new StorageError("storage", `${uri}: it did not answer in time`, true);
  return connectionError(error, uri);
};

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "");

export const statusOf = (error: unknown): number | undefined => {
  // The client's errors include details of the response.
  const { $metadata } = (error ?? {}) as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata?.httpStatusCode;
};
