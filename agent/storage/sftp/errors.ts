import { messageOf } from "../../../shared/basics/errors.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { failureAt, StorageError } from "../storage-error.ts";
import type { Failure } from "../troubles.ts";

/** The protocol's own numbers. */
export const status = {
  end: 1,
  noSuchFile: 2,
  denied: 3,
  failure: 4,
  noConnection: 6,
  connectionLost: 7,
  unsupported: 8,
};

const byStatus: Readonly<Record<number, Failure>> = {
  [status.noSuchFile]: "missing",
  [status.denied]: "denied",
  // The protocol has only this one code for a full disk, a folder that is not empty, and a taken name.
  [status.failure]: "mayBeFull",
  [status.noConnection]: "broken",
  [status.connectionLost]: "broken",
  [status.unsupported]: "unsupported",
};

export const sftpError = (error: unknown, uri: string): Error => {
  if (error instanceof TaskError) return error;
  const known = byStatus[statusOf(error) ?? -1];
  if (known) return failureAt(uri, known);
  const message = messageOf(error);
  if (/no response from server|not connected|connection|closed|ECONNRESET|EPIPE/i.test(message))
    return failureAt(uri, "broken");
  return new StorageError("storage", `${uri}: ${message.slice(0, 300)}`);
};

export const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : undefined;
