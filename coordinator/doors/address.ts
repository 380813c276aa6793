import { BlockList, isIP } from "node:net";
import { unmapped } from "../address-share.ts";

/** Tells which addresses are trusted proxies. Takes addresses and networks. */
export const proxiesAmong = (proxies: readonly string[]): ((ip: string) => boolean) => {
  const list = new BlockList();
  for (const each of proxies) {
    const [address = "", bits] = each.split("/");
    const kind = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, kind);
    else list.addSubnet(address, Number(bits), kind);
  }
  return (ip) => {
    const plain = unmapped(ip);
    const kind = isIP(plain);
    return kind !== 0 && list.check(plain, kind === 6 ? "ipv6" : "ipv4");
  };
};

/** The last address that a chain of trusted proxies did not add itself. */
export const forwardedBy = (ip: string, header: string | undefined, isProxy: (ip: string) => boolean): string => {
  if (!isProxy(ip)) return ip;
  const hops = (header ?? "").split(",").map((each) => each.trim());
  return hops.findLast((each) => isIP(each) !== 0 && !isProxy(each)) ?? ip;
};
