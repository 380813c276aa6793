import { decodeJoinToken } from "../../../shared/credentials/join-token.ts";
import { powerShellWord, shellWord } from "../../../shared/texts/shell.ts";

/** The command that makes a machine a node of the farm whose token it is; `folder`: what jobs may use there, or "". */
export const joinCommand = (token: string, folder: string): string => {
  const words = ["mediafarm", "agent", "--join", token];
  return [...words, ...(folder.trim() === "" ? [] : ["--root", quoted(folder.trim())])].join(" ");
};

/**
 * What a machine needs first where the token names an address that only the coordinator's own machine can reach; undefined
 * where it names another. The tunnel ends at the same port, since that stands in the token.
 */
export const tunnelCommand = (token: string, host: string): string | undefined => {
  const { hostname, port } = new URL(decodeJoinToken(token).url);
  if (!/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return undefined;
  return `ssh -N -L ${port}:${hostname}:${port} ${host}`;
};

/** A folder of Windows is typed into PowerShell, any other into a POSIX shell. */
const quoted = (path: string): string => (/^([a-z]:|\\\\)/i.test(path) ? powerShellWord(path) : shellWord(path));
