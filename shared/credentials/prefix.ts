import { schemeOf } from "../files/storage.ts";

/**
 * Whether an address equals the prefix or is below it, on the same server: what a credential opens. An address that a
 * server could read as one outside of it, by whatever spelling, is not below.
 */
export const isBelow = (uri: string, prefix: string): boolean => {
  if (uri === prefix) return true;
  const [place, start] = [placeOf(uri), placeOf(prefix)];
  if (place.server !== start.server) return false;
  const folder = start.path.replace(/\/+$/, "");
  if (place.path === folder) return true;
  return place.path.startsWith(`${folder}/`) && !isAmbiguous(uri);
};

type Place = { readonly server: string; readonly path: string };

const defaultPorts: Readonly<Record<string, string>> = { http: "80", https: "443", ftp: "21", sftp: "22" };

/** Scheme and host in lower case, without the scheme's own port. Names of buckets and of users count letter by letter. */
const placeOf = (uri: string): Place => {
  const [, authority = "", path = ""] = /^[^:]*:\/\/([^/?#]*)(.*)$/s.exec(uri) ?? [];
  const scheme = schemeOf(uri);
  const port = defaultPorts[scheme];
  if (port === undefined) return { server: `${scheme}://${authority}`, path };
  const at = authority.lastIndexOf("@") + 1;
  const host = authority.slice(at).toLowerCase();
  const named = host.endsWith(`:${port}`) ? host.slice(0, -port.length - 1) : host;
  return { server: `${scheme}://${authority.slice(0, at)}${named}`, path };
};

/**
 * Whether servers and programs may disagree about the place: `..` between slashes or backslashes in any spelling, also with
 * white space that readers of addresses leave out, and NUL. Any other character may stand in a name.
 */
const isAmbiguous = (uri: string): boolean => {
  if (schemeOf(uri) === "file") return false; // nothing is sent to a file
  const read = unescaped(unescaped(uri)).replaceAll(/[\t\n\r]/g, "");
  return read.includes("\0") || read.split(/[/\\]/).some((part) => /^\.{1,2}(?:[;?#].*)?$/s.test(part));
};

/** Escapes of the characters that decide about a place; an address may hold others that are no text at all. */
const unescaped = (text: string): string =>
  text.replaceAll(/%(?:25|2e|2f|5c|3b|3f|23|0[0-9a-f]|1[0-9a-f]|7f)/gi, decodeURIComponent);
