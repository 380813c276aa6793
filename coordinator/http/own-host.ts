import { hostname } from "node:os";
import type { FastifyRequest } from "fastify";
import { AppError } from "../../shared/basics/errors.ts";

/**
 * Refuses pages and their routes under foreign names: a foreign page whose name points here (DNS rebinding) would count
 * as one of ours. Addresses are always accepted. `/v1` is exempt: it asks for credentials that no browser sends by
 * itself.
 */
export const requireOwnHost = (
  { host, url }: Pick<FastifyRequest, "host" | "url">,
  names: ReadonlySet<string>,
): void => {
  if (/^\/v1(?:\/|\?|$)/.test(url)) return;
  const name = nameOf(host ?? "");
  if (name === "" || isAddress(name) || names.has(name)) return;
  const message = `This farm does not go by the name ${name.slice(0, 253)}. Start it with --host-name ${name.slice(0, 253)} if it should`;
  throw new AppError("NOT_ALLOWED", message);
};

/** Loopback, this machine's names, and those configured by its operator. */
export const ownNames = (listensOn: string, given: readonly string[]): ReadonlySet<string> => {
  const machine = hostname().toLowerCase();
  return new Set([
    "localhost",
    machine,
    `${machine}.local`,
    ...[listensOn, ...given].map((name) => name.toLowerCase()),
  ]);
};

/** Without its port, and without the dot that ends a full name. */
const nameOf = (host: string): string => host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");

const isAddress = (name: string): boolean => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name) || /^\[[0-9a-f:.]+\]$/.test(name);
