import { retryAfterMs } from "../../outbound/retry-after.ts";
import { failureAt, StorageError } from "../storage-error.ts";
import type { Failure } from "../troubles.ts";
import { type Answer, drain } from "./request.ts";

/** What a server answered, without the body. */
type Head = Pick<Answer, "status" | "headers">;

const byStatus: Readonly<Record<number, Failure>> = {
  401: "login",
  403: "denied",
  404: "missing",
  405: "unsupported",
  410: "missing",
  413: "tooLarge",
  501: "unsupported",
  507: "full",
};

/** The meaning of unexpected statuses, for people. */
export const statusError = ({ status, headers }: Head, uri: string): StorageError => {
  const said = `status ${status}`;
  const known = byStatus[status] ?? (status === 408 || status === 429 || status >= 500 ? "failing" : undefined);
  if (known) return failureAt(uri, known, said, retryAfterMs(headers));
  return new StorageError("storage", `${uri}: the server refuses the request (${said})`);
};

/**
 * Of a request that sent a file: most servers answer only "internal error" or "try later"
 * if they cannot store it.
 */
export const storingError = (answer: Head, uri: string): StorageError => {
  const { status, headers } = answer;
  if (status === 500) return failureAt(uri, "mayBeFull", "status 500");
  if (status < 502 || status > 504) return statusError(answer, uri);
  return failureAt(uri, "notStored", `status ${status}`, retryAfterMs(headers));
};

/** The response if it has one of these statuses; else throws a readable error. */
export const expectStatus = async (answer: Answer, ...statuses: readonly number[]): Promise<Answer> => {
  if (statuses.includes(answer.status)) return answer;
  await drain(answer).catch(() => undefined); // the status says enough
  throw statusError(answer, answer.uri);
};
