import { type Address, addressText, isWithin, parseAddress } from "./address.ts";
import { kindOf, type Network, parseNetwork } from "./ranges.ts";

/** What jobs may reach from a node: everything public, a network, or hosts by name. */
export type OutboundRule =
  | { readonly allows: "public" }
  | ({ readonly allows: "network"; readonly port?: number } & Network)
  | { readonly allows: "host"; readonly name: string; readonly port?: number };

/** The default rules of a node: public addresses, nothing of its own network. */
export const usualRules: readonly string[] = ["public"];

/** The maximum number of rules in one list. */
export const maxOutboundRules = 1000;

export const ruleForms =
  "public, a host name, *.a-domain, an address or a network such as 10.0.0.0/8, each with a :port if wanted";

/** Parses one entry of `--allow-outbound`; undefined if it is invalid. */
export const parseRule = (text: string): OutboundRule | undefined => {
  if (text === "public") return { allows: "public" };
  const whole = parseNetwork(text);
  if (whole) return { allows: "network", ...whole };
  const [, target = text, port] = /^(.*?)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const places = port === undefined ? {} : { port: Number(port) };
  if (Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return undefined;
  const network = parseNetwork(target);
  if (network) return { allows: "network", ...network, ...places };
  const isName = /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(target) && parseAddress(target) === undefined;
  return isName ? { allows: "host", name: target.toLowerCase(), ...places } : undefined;
};

export type OutboundTarget = { readonly host: string; readonly port: number; readonly address: Address };

/**
 * Why this address is not allowed; undefined if it is. Metadata services need a rule with exactly their address: no
 * name or network allows them by accident.
 */
export const refusalOf = (target: OutboundTarget, rules: readonly OutboundRule[]): string | undefined => {
  if (rules.some((rule) => permits(rule, target))) return undefined;
  const { host, port, address } = target;
  const kind = kindOf(address);
  const shown = addressText(address);
  const what = parseAddress(host) ? shown : `${host} (${shown})`;
  return kind === "public"
    ? `${what}, port ${port}, is not among the places that this node may reach`
    : `${what} is a ${kind} address, which this node may not reach`;
};

const permits = (rule: OutboundRule, { host, port, address }: OutboundTarget): boolean => {
  const kind = kindOf(address);
  if (rule.allows === "public") return kind === "public";
  if (rule.port !== undefined && rule.port !== port) return false;
  if (rule.allows === "host") return kind !== "metadata" && isNamed(rule.name, host);
  if (kind === "metadata" && rule.bits < 8 * address.length) return false;
  return isWithin(address, rule.network, rule.bits);
};

const isNamed = (name: string, host: string): boolean => {
  const wanted = host.toLowerCase().replace(/\.$/, "");
  return name.startsWith("*.") ? wanted.endsWith(name.slice(1)) : wanted === name;
};
