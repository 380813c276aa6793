import { type Cause, TaskError } from "../../../shared/causes.ts";
import { messageOf } from "../../../shared/errors.ts";
import { StorageError } from "../storage-error.ts";

type Words = { readonly cause: Cause; readonly words: string; readonly isPassing?: boolean };

/** The protocol's own numbers. */
export const status = { noSuchFile: 2, denied: 3, failure: 4, noConnection: 6, connectionLost: 7, unsupported: 8 };

const byStatus: Readonly<Record<number, Words>> = {
  [status.noSuchFile]: { cause: "source", words: "no such file" },
  [status.denied]: { cause: "storage", words: "the server refuses access" },
  // The protocol has only this one code for a full disk, a folder that is not empty, and a taken name.
  [status.failure]: { cause: "storage", words: "the server could not do it: it may have no space left" },
  [status.noConnection]: { cause: "storage", words: "the connection broke off", isPassing: true },
  [status.connectionLost]: { cause: "storage", words: "the connection broke off", isPassing: true },
  [status.unsupported]: { cause: "capability", words: "the server does not do this" },
};

export const sftpError = (error: unknown, uri: string): Error => {
  if (error instanceof TaskError) return error;
  const known = byStatus[statusOf(error) ?? -1];
  if (known) return new StorageError(known.cause, `${uri}: ${known.words}`, known.isPassing);
  if (/no response from server|not connected|connection|closed|ECONNRESET|EPIPE/i.test(messageOf(error))) {
    return new StorageError("storage", `${uri}: the connection broke off`, true);
  }
  return new StorageError("storage", `${uri}: ${messageOf(error).slice(0, 300)}`);
};

export const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : undefined;
