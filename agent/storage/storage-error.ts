import { messageOf } from "../../shared/basics/errors.ts";
import { type Cause, TaskError } from "../../shared/model/failure.ts";
import { type Failure, failures } from "./troubles.ts";

/** Why a storage operation failed. `isPassing`: a retry may succeed soon, but not before `afterMs`, if the server says so. */
export class StorageError extends TaskError {
  readonly isPassing: boolean;
  readonly afterMs: number;

  constructor(cause: Cause, message: string, isPassing = false, afterMs = 0) {
    super(cause, message);
    this.name = "StorageError";
    this.isPassing = isPassing;
    this.afterMs = afterMs;
  }
}

export const isPassing = (error: unknown): boolean => error instanceof StorageError && error.isPassing;

/** A trouble with an address, and the server's own word for it, such as `status 401`, and when to come back. */
export const failureAt = (where: string, trouble: Failure, said?: string, afterMs?: number): StorageError => {
  const [cause, what, advice, isPassing] = failures[trouble];
  const message = `${where}: ${what}${said === undefined ? "" : ` (${said})`}; ${advice}`;
  return new StorageError(cause, message, isPassing, afterMs);
};

/** Connection errors, whatever the protocol. */
const byCode: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: "notThere",
  ECONNRESET: "broken",
  EPIPE: "broken",
  ERR_STREAM_PREMATURE_CLOSE: "broken",
  ETIMEDOUT: "silent",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EAI_AGAIN: "lookup",
  ENOTFOUND: "noHost",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate",
  UNABLE_TO_GET_ISSUER_CERT: "certificate",
  CERT_HAS_EXPIRED: "expired",
  CERT_NOT_YET_VALID: "notYetValid",
  ERR_TLS_CERT_ALTNAME_INVALID: "otherHost",
  EPROTO: "noTls",
};

/** Describes a failed call to a server. `what` is the address. Readable errors stay unchanged. */
export const connectionError = (error: unknown, what: string): TaskError => {
  if (error instanceof TaskError) return error;
  const known = byCode[codeOf(error)];
  return known ? failureAt(what, known) : new StorageError("storage", `${what}: ${messageOf(error).slice(0, 500)}`);
};

/** An AggregateError, for a host with several addresses, hides the code in its parts. */
export const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error ? String(error.code) : "";
};
