import { hostname } from "node:os";
import type { FastifyRequest } from "fastify";
import { AppError } from "../../shared/basics/errors.ts";

/**
 * Refuses pages and their routes under foreign names: a foreign page whose name points here (DNS rebinding) would count
 * as one of ours. Addresses are always accepted. `/v1` is exempt: it asks for credentials that no browser sends by
 * itself.
 */
export const requireOwnHost = (
  {
    host,
    url,
    raw,
  }: Pick<FastifyRequest, "host" | "url"> & { readonly raw: Pick<FastifyRequest["raw"], "rawHeaders" | "httpVersion"> },
  names: ReadonlySet<string>,
): void => {
  // Names of headers stand at even places. What stands before this farm may go by another of them.
  const hosts = raw.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === "host").length;
  if (hosts === 0 && raw.httpVersion !== "1.0")
    throw new AppError("VALIDATION_FAILED", "The request has no Host header: send one");
  if (hosts > 1) throw new AppError("VALIDATION_FAILED", "The request has more than one Host header: send one");
  if (/^\/v1(?:\/|\?|$)/.test(url)) return;
  const name = nameOf(host ?? "");
  if (name === "" || isAddress(name) || names.has(name)) return;
  const message = `This farm does not go by the name ${name.slice(0, 253)}. Start it with --host-name ${name.slice(0, 253)} if it should`;
  throw new AppError("NOT_ALLOWED", message);
};

/** Loopback, this machine's names, and those configured by its operator. */
export const ownNames = (listensOn: string, given: readonly string[]): ReadonlySet<string> => {
  const machine = nameOf(hostname());
  return new Set(["localhost", machine, `${machine}.local`, ...[listensOn, ...given].map((name) => nameOf(name))]);
};

/**
 * One spelling of a host: lower case, without the dot that ends a full name, numbers as addresses are written; other
 * alphabets as DNS knows them. Undefined for what names no host.
 */
const hostOf = (host: string, protocol = "http:"): URL | undefined => {
  if (!URL.canParse(`${protocol}//${host}`) || /[/\\?#@\s]/.test(host)) return undefined;
  const url = new URL(`${protocol}//${host}`);
  url.hostname = url.hostname.replace(/\.$/, "");
  return url;
};

/** A host's name without its port; as it came, where it is none: then it is nobody's. */
const nameOf = (host: string): string => hostOf(host)?.hostname ?? host.toLowerCase();

/** Scheme, name and port of an origin, each in one spelling; undefined for what is none, such as `null`. */
export const originOf = (text: string): string | undefined => {
  const [, protocol, host] = /^(https?:)\/\/(.+)$/i.exec(text) ?? [];
  return host === undefined ? undefined : hostOf(host, protocol?.toLowerCase())?.origin;
};

const isAddress = (name: string): boolean => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name) || /^\[[0-9a-f:.]+\]$/.test(name);
