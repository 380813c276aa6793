import { isIP } from "node:net";

/** Who shares one share of the connections: an IPv4 address, or an IPv6 network of 64 bits, which one person may fill. */
export const shareOf = (ip: string): string => {
  const plain = unmapped(ip);
  return isIP(plain) === 6 ? `${networkOf(plain)}::/64` : plain;
};

/** Without `::ffff:`, as which a port for both kinds shows IPv4. */
export const unmapped = (ip: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip;

/** The first four groups, written out, without the interface of a local address. */
const networkOf = (ip: string): string => {
  const [before = "", after] = (ip.split("%")[0] ?? "").split("::");
  const groups = before === "" ? [] : before.split(":");
  const tail = after ? after.split(":").length + Number(after.includes(".")) : 0;
  const zeros = after === undefined ? 0 : Math.max(0, 8 - groups.length - tail);
  const all = [...groups, ...Array.from({ length: zeros }, () => "0"), ...(after ? after.split(":") : [])];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
};
