import { FTPError } from "basic-ftp";
import { type Cause, TaskError } from "../../../shared/causes.ts";
import { codeOf, connectionError, StorageError } from "../storage-error.ts";

type Words = { readonly cause: Cause; readonly words: string; readonly isPassing?: boolean };

/** The meaning of the server's reply codes, for people. */
const byCode: Readonly<Record<number, Words>> = {
  421: { cause: "storage", words: "the server takes no more connections now", isPassing: true },
  425: { cause: "storage", words: "no data connection comes about", isPassing: true },
  426: { cause: "storage", words: "the transfer broke off", isPassing: true },
  430: { cause: "definition", words: "the server refuses the user name or password" },
  450: { cause: "storage", words: "the file is in use", isPassing: true },
  451: { cause: "storage", words: "the server failed while it worked on the file", isPassing: true },
  452: { cause: "storage", words: "the server has no space left" },
  522: { cause: "storage", words: "the server does not accept this way of encrypting" },
  530: { cause: "definition", words: "the server refuses the user name or password" },
  532: { cause: "definition", words: "the server wants an account to store files" },
  550: { cause: "storage", words: "the server has no such file, or refuses access to it" },
  552: { cause: "storage", words: "the server has no space left for it" },
  553: { cause: "storage", words: "the server refuses the file's name, or to write there" },
};

/**
 * Converts any error of a command into a readable one. An error of the library itself means that the connection is
 * gone.
 */
export const ftpError = (error: unknown, uri: string): Error => {
  if (error instanceof TaskError) return error;
  if (error instanceof FTPError) {
    // Not a refusal: vsftpd answers this when one of its processes died.
    if (error.code === 500 && /OOPS: (child died|vsf_sysutil|priv_sock)/.test(error.message)) return broke(uri);
    const known = byCode[error.code];
    const { cause, words, isPassing = false } = known ?? { cause: "storage", words: "the server refuses" };
    return new StorageError(cause, `${uri}: ${words} (reply ${error.code})`, isPassing);
  }
  if (codeOf(error) !== "") return connectionError(error, uri);
  return broke(uri);
};

const broke = (uri: string) => new StorageError("storage", `${uri}: the connection broke off`, true);

export const isReply = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof FTPError && codes.includes(error.code);
