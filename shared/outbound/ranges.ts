import { type Address, isWithin, parseAddress } from "./address.ts";

/** The class of an address. Only `public` ones are certainly not local. */
export type AddressKind = "public" | "loopback" | "private" | "link-local" | "metadata" | "multicast" | "reserved";

/** The first network that contains an address decides; single addresses come first. */
const networks: readonly (readonly [kind: AddressKind, networks: readonly string[]])[] = [
  // Cloud services that hand out a machine's credentials to any program on that machine.
  ["metadata", ["169.254.169.254/32", "169.254.170.2/32", "100.100.100.200/32", "168.63.129.16/32"]],
  ["metadata", ["192.0.0.192/32", "fd00:ec2::254/128", "fd20:ce::254/128"]],
  // Connecting to 0.0.0.0 or :: reaches this machine.
  ["loopback", ["0.0.0.0/8", "127.0.0.0/8", "::/128", "::1/128"]],
  ["private", ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "198.18.0.0/15"]],
  ["private", ["fc00::/7", "fec0::/10"]],
  ["link-local", ["169.254.0.0/16", "fe80::/10"]],
  ["multicast", ["224.0.0.0/4", "ff00::/8"]],
  ["reserved", ["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4"]],
  ["reserved", ["2001::/23", "2001:db8::/32", "3fff::/20"]],
  ["public", ["0.0.0.0/0", "2000::/3"]],
];

/** Unassigned IPv6 networks are reserved. */
export const kindOf = (address: Address): AddressKind =>
  ranges.find(({ network, bits }) => isWithin(address, network, bits))?.kind ?? "reserved";

export type Network = { readonly network: Address; readonly bits: number };

/** `10.0.0.0/8`, or one address. Undefined for anything else. */
export const parseNetwork = (text: string): Network | undefined => {
  const [, address = "", length] = /^\[?([^/\]]+)\]?(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const network = /^(\d+\.){3}\d+$/.test(address) || address.includes(":") ? parseAddress(address) : undefined;
  if (network === undefined) return undefined;
  const bits = length === undefined ? 8 * network.length : Number(length);
  return bits <= 8 * network.length ? { network, bits } : undefined;
};

const ranges = networks.flatMap(([kind, list]) =>
  list.map((text) => {
    const network = parseNetwork(text);
    if (!network) throw new Error(`${text} is not a network`);
    return { kind, ...network };
  }),
);
