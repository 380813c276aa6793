import { lookup } from "node:dns/promises";
import { capabilityError, TaskError } from "../../shared/model/failure.ts";
import { type Address, addressText, parseAddress } from "../../shared/outbound/address.ts";
import { type OutboundRule, parseRule, refusalOf, usualRules } from "../../shared/outbound/rules.ts";

/** Addresses of a host name, as the system resolves it. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

export type Guard = {
  /** The address to connect to. Connecting to anything else, such as the name again, would be unchecked. */
  check(host: string, port: number): Promise<string>;
};

/**
 * The only way to reach network addresses that jobs name. A name is resolved once, and one forbidden address among its
 * results refuses it, because a resolver may return them in any order.
 */
export const createGuard = (rules: () => readonly OutboundRule[], resolve: Resolve = resolveBySystem): Guard => ({
  check: async (host, port) => {
    const addresses = await addressesOf(host, resolve);
    for (const address of addresses) {
      const refusal = refusalOf({ host, port, address }, rules());
      if (refusal !== undefined) throw capabilityError(`${refusal}. ${howToAllow(host)}`);
    }
    const [first] = addresses;
    if (!first) throw new TaskError("receiver", `${host} has no address`);
    return addressText(first);
  },
});

/** A guard for one node: by its operator's rules, and by those of the whole farm as they are told. */
export const createNodeGuard = (own: readonly string[] | undefined) => {
  let farm: readonly string[] = [];
  const guard = createGuard(() => [...(own ?? usualRules), ...farm].flatMap((text) => parseRule(text) ?? []));
  return {
    guard,
    /** The farm's rules from now on. */
    take: (rules: readonly string[]): void => {
      farm = rules;
    },
  };
};

const howToAllow = (host: string): string =>
  `An owner of the farm allows it with: mediafarm outbound add ${host}; the node's operator with --allow-outbound`;

const addressesOf = async (host: string, resolve: Resolve): Promise<Address[]> => {
  const written = parseAddress(host);
  if (written) return [written];
  return (await resolve(host)).map(parseAddress).filter((address) => address !== undefined);
};
