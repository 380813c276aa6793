import { TaskError } from "../../../shared/causes.ts";
import { messageOf } from "../../../shared/errors.ts";
import { StorageError, troubleAt } from "../storage-error.ts";
import type { Trouble } from "../troubles.ts";

/** The protocol's own numbers. */
export const status = { noSuchFile: 2, denied: 3, failure: 4, noConnection: 6, connectionLost: 7, unsupported: 8 };

const byStatus: Readonly<Record<number, Trouble>> = {
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
  if (known) return troubleAt(uri, known);
  const message = messageOf(error);
  if (/no response from server|not connected|connection|closed|ECONNRESET|EPIPE/i.test(message))
    return troubleAt(uri, "broken");
  return new StorageError("storage", `${uri}: ${message.slice(0, 300)}`);
};

export const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : undefined;
