import { lookup } from "node:dns/promises";
import { TaskError } from "../../shared/causes.ts";
import { messageOf } from "../../shared/errors.ts";
import { type Address, addressText, parseAddress } from "../../shared/outbound/address.ts";
import { type OutboundRule, refusalOf } from "../../shared/outbound/rules.ts";

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
export const createGuard = (rules: readonly OutboundRule[], resolve: Resolve = resolveBySystem): Guard => ({
  check: async (host, port) => {
    const addresses = await addressesOf(host, resolve);
    for (const address of addresses) {
      const refusal = refusalOf({ host, port, address }, rules);
      if (refusal === undefined) continue;
      throw new TaskError("capability", `${refusal}. Its operator can allow it with --allow-outbound`);
    }
    const [first] = addresses;
    if (!first) throw new TaskError("receiver", `${host} has no address`);
    return addressText(first);
  },
});

const addressesOf = async (host: string, resolve: Resolve): Promise<Address[]> => {
  const written = parseAddress(host);
  if (written) return [written];
  try {
    return (await resolve(host)).map(parseAddress).filter((address) => address !== undefined);
  } catch (error) {
    throw new TaskError("receiver", `${host} cannot be found: ${messageOf(error)}`);
  }
};
