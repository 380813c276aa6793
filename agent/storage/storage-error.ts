import { type Cause, TaskError } from "../../shared/causes.ts";
import { messageOf } from "../../shared/errors.ts";

/** Why a storage operation failed. `isPassing`: a retry may succeed soon. */
export class StorageError extends TaskError {
  readonly isPassing: boolean;

  constructor(cause: Cause, message: string, isPassing = false) {
    super(cause, message);
    this.name = "StorageError";
    this.isPassing = isPassing;
  }
}

export const isPassing = (error: unknown): boolean => error instanceof StorageError && error.isPassing;

type Words = { readonly cause: Cause; readonly words: string; readonly isPassing?: boolean };

const unknownCertificate =
  "this node does not trust its certificate; set the issuer's certificate as ca in the credentials";

/** Connection errors, whatever the protocol. */
const byCode: Readonly<Record<string, Words>> = {
  ECONNREFUSED: { cause: "storage", words: "nothing answers there", isPassing: true },
  ECONNRESET: { cause: "storage", words: "the connection broke off", isPassing: true },
  EPIPE: { cause: "storage", words: "the connection broke off", isPassing: true },
  ETIMEDOUT: { cause: "storage", words: "it did not answer in time", isPassing: true },
  EHOSTUNREACH: { cause: "storage", words: "no way leads to it from this node", isPassing: true },
  ENETUNREACH: { cause: "storage", words: "no way leads to it from this node", isPassing: true },
  EAI_AGAIN: { cause: "storage", words: "its name cannot be looked up now", isPassing: true },
  ENOTFOUND: { cause: "storage", words: "no host has this name" },
  DEPTH_ZERO_SELF_SIGNED_CERT: { cause: "storage", words: unknownCertificate },
  SELF_SIGNED_CERT_IN_CHAIN: { cause: "storage", words: unknownCertificate },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { cause: "storage", words: unknownCertificate },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { cause: "storage", words: unknownCertificate },
  UNABLE_TO_GET_ISSUER_CERT: { cause: "storage", words: unknownCertificate },
  CERT_HAS_EXPIRED: { cause: "storage", words: "its certificate has expired" },
  CERT_NOT_YET_VALID: { cause: "storage", words: "its certificate is not valid yet" },
  ERR_TLS_CERT_ALTNAME_INVALID: { cause: "storage", words: "its certificate is for another host" },
  EPROTO: { cause: "storage", words: "it does not speak TLS as it should" },
};

/** Describes a failed call to a server. `what` is the address. Readable errors stay unchanged. */
export const connectionError = (error: unknown, what: string): TaskError => {
  if (error instanceof TaskError) return error;
  const known = byCode[codeOf(error)];
  if (known) return new StorageError(known.cause, `${what}: ${known.words}`, known.isPassing);
  return new StorageError("storage", `${what}: ${messageOf(error).slice(0, 500)}`);
};

/** An AggregateError, for a host with several addresses, hides the code in its parts. */
export const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error ? String(error.code) : "";
};
