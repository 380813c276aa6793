import { StorageError } from "../storage-error.ts";
import { type Answer, drain } from "./request.ts";

/** The meaning of unexpected statuses, for people. */
export const statusError = (status: number, uri: string): StorageError => {
  const say = (words: string) => `${uri}: ${words} (status ${status})`;
  if (status === 401) return new StorageError("definition", say("the server refuses the user name or password"));
  if (status === 403) return new StorageError("storage", say("the server refuses access"));
  if (status === 404 || status === 410) return new StorageError("source", say("no such file"));
  if (status === 405 || status === 501) return new StorageError("capability", say("the server does not do this"));
  if (status === 413) return new StorageError("storage", say("the file is too large for the server"));
  if (status === 507) return new StorageError("storage", say("the server has no space left"));
  const isPassing = status === 408 || status === 429 || status >= 500;
  return new StorageError("storage", say("the server could not complete the request"), isPassing);
};

/** The response if it has one of these statuses; else throws a readable error. */
export const expectStatus = async (answer: Answer, ...statuses: readonly number[]): Promise<Answer> => {
  if (statuses.includes(answer.status)) return answer;
  await drain(answer).catch(() => undefined); // the status says enough
  throw statusError(answer.status, answer.uri);
};
