import { isAbsolute, relative } from "node:path";
import { decodeJoinToken } from "../../shared/credentials/join-token.ts";

/** Whether an address belongs to the farm whose pages the window shows: same scheme, host and port, nothing less. */
export const isOfFarm = (url: string, farmUrl: string | undefined): boolean => {
  const origin = originOf(url);
  return origin !== undefined && origin === originOf(farmUrl ?? "");
};

/** Addresses that the system's browser may open: the web, but no schemes that start programs. */
export const isWebAddress = (url: string): boolean => originOf(url) !== undefined;

/** http and https only: other schemes have no origin, or one that proves nothing. */
const originOf = (url: string): string | undefined => {
  const parsed = URL.parse(url);
  return parsed && (parsed.protocol === "http:" || parsed.protocol === "https:") ? parsed.origin : undefined;
};

/** The dashboard of the farm that a join token names: at the same host and port as its agents' WebSocket. */
export const toDashboardUrl = (joinToken: string): string => {
  const { protocol, host } = new URL(decodeJoinToken(joinToken).url);
  return `${protocol === "wss:" ? "https:" : "http:"}//${host}/`;
};

export const isWithin = (folder: string, parents: readonly string[]): boolean =>
  isAbsolute(folder) &&
  parents.some((parent) => {
    const way = relative(parent, folder);
    return way === "" || (way !== ".." && !/^\.\.[/\\]/.test(way) && !isAbsolute(way));
  });
