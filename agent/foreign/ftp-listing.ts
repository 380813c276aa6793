import { parseList } from "basic-ftp";
import { messageOf } from "../../shared/basics/errors.ts";
import { TaskError } from "../../shared/model/failure.ts";

/** A line of a listing. `modifiedAt`: only where the server says it exactly, as by MLSD. */
export type FtpEntry = {
  readonly name: string;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly size: number;
  readonly modifiedAt: Date | undefined;
};

/** A server's answer to MLSD or LIST (RFC 3659, 959). Throws TaskError `storage`. */
export const readFtpListing = ({ uri, text }: { readonly uri: string; readonly text: string }): FtpEntry[] =>
  parsed(uri, text).map(({ name, isFile, isDirectory, size, modifiedAt }) => ({
    ...{ name, isFile, isDirectory, size, modifiedAt },
  }));

const parsed = (uri: string, text: string) => {
  try {
    return parseList(text);
  } catch (error) {
    throw new TaskError("storage", `${uri}: the server's listing cannot be read: ${messageOf(error)}`);
  }
};
