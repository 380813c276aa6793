import type { FTPError } from "basic-ftp";
import { TaskError } from "../../../shared/model/failure.ts";
import { codeOf, connectionError, failureAt, StorageError } from "../storage-error.ts";
import type { Failure } from "../troubles.ts";

/** The meaning of the server's reply codes. */
const byCode: Readonly<Record<number, Failure>> = {
  421: "crowded",
  425: "broken",
  426: "broken",
  430: "login",
  450: "inUse",
  451: "failing",
  452: "full",
  502: "unsupported",
  504: "unsupported",
  522: "noTls",
  530: "login",
  532: "denied",
  550: "missingOrDenied",
  552: "full",
  553: "denied",
};

/**
 * Converts any error of a command into a readable one. An error of the library itself means that the connection is
 * gone.
 */
export const ftpError = (error: unknown, uri: string): Error => {
  if (error instanceof TaskError) return error;
  if (isFtpError(error)) return troubleOf(error, uri);
  return codeOf(error) === "" ? failureAt(uri, "broken") : connectionError(error, uri);
};

const troubleOf = ({ code, message }: FTPError, uri: string): StorageError => {
  const said = `reply ${code}`;
  // Not a refusal: vsftpd answers this when one of its processes died.
  if (code === 500 && /OOPS: (child died|vsf_sysutil|priv_sock)/.test(message)) return failureAt(uri, "broken");
  // vsftpd's word for every error of its disk.
  if (code === 451 && /writing to local file/i.test(message)) return failureAt(uri, "mayBeFull", said);
  const known = byCode[code];
  return known ? failureAt(uri, known, said) : new StorageError("storage", `${uri}: the server refuses (${said})`);
};

export const isReply = (error: unknown, ...codes: readonly number[]): boolean =>
  isFtpError(error) && codes.includes(error.code);

/** By name, so that nodes that never meet an FTP server need not load the library. */
const isFtpError = (error: unknown): error is FTPError => error instanceof Error && error.name === "FTPError";
