/** An IP address as bytes: 4 for IPv4, 16 for IPv6. */
export type Address = readonly number[];

/**
 * Parses an address in every notation that a system resolver accepts: `127.0.0.1`, `2130706433`, `0x7f.1`,
 * `0177.0.0.1`, `[::1]`, `::ffff:127.0.0.1`. Undefined for a host name. IPv6 addresses that contain an IPv4 address
 * become that address.
 */
export const parseAddress = (text: string): Address | undefined => {
  const bare = text.replace(/^\[(.*)\]$/, "$1").replace(/%.*$/, "");
  return bare.includes(":") ? carried(parseV6(bare)) : parseV4(bare);
};

export const addressText = (address: Address): string =>
  address.length === 4
    ? address.join(".")
    : groupsOf(address)
        .map((group) => group.toString(16))
        .join(":");

/** Whether the address is in the network given by these first `bits` bits. */
export const isWithin = (address: Address, network: Address, bits: number): boolean =>
  address.length === network.length &&
  address.every((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - 8 * index));
    const mask = (0xff << (8 - kept)) & 0xff;
    return (byte & mask) === ((network[index] ?? 0) & mask);
  });

/** One to four numbers, decimal, octal or hexadecimal; the last one fills all remaining bytes. */
const parseV4 = (text: string): Address | undefined => {
  const words = text.replace(/\.$/, "").split(".");
  const numbers = words.map(numberOf);
  const last = numbers.at(-1);
  if (words.length > 4 || last === undefined) return undefined;
  const heads = numbers.slice(0, -1);
  if (heads.some((part) => part === undefined || part > 255) || last >= 256 ** (5 - words.length)) return undefined;
  const left = 4 - heads.length;
  const tail = Array.from({ length: left }, (_, index) => Math.floor(last / 256 ** (left - 1 - index)) % 256);
  return [...heads.map((part) => part ?? 0), ...tail];
};

const numberOf = (word: string): number | undefined => {
  if (/^0x[0-9a-f]*$/i.test(word)) return Number.parseInt(word.slice(2) || "0", 16);
  if (/^0[0-7]+$/.test(word)) return Number.parseInt(word, 8);
  return /^(0|[1-9]\d*)$/.test(word) ? Number(word) : undefined;
};

const parseV6 = (text: string): Address | undefined => {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(bytesOf);
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  const missing = 16 - head.length - (tail?.length ?? 0);
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined;
  return [...head, ...Array<number>(missing).fill(0), ...(tail ?? [])];
};

const bytesOf = (half: string): Address | undefined => {
  if (half === "") return [];
  const groups = half.split(":");
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    const isLast = index === groups.length - 1;
    const v4 = isLast && /^\d+\.\d+\.\d+\.\d+$/.test(group) ? parseV4(group) : undefined;
    if (v4) bytes.push(...v4);
    else if (/^[0-9a-f]{1,4}$/i.test(group))
      bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255);
    else return undefined;
  }
  return bytes.length <= 16 ? bytes : undefined;
};

/** IPv6 prefixes that are followed by an IPv4 address: mapped, compatible, translated (NAT64), 6to4. */
const carriers: readonly { readonly prefix: string; readonly bits: number; readonly at: number }[] = [
  { prefix: "0:0:0:0:0:ffff:0:0", bits: 96, at: 12 },
  { prefix: "0:0:0:0:ffff:0:0:0", bits: 96, at: 12 },
  { prefix: "64:ff9b:0:0:0:0:0:0", bits: 96, at: 12 },
  { prefix: "2002:0:0:0:0:0:0:0", bits: 16, at: 2 },
];

const carried = (address: Address | undefined): Address | undefined => {
  if (address === undefined) return undefined;
  const isCompatible =
    address.slice(0, 12).every((byte) => byte === 0) && address.slice(12, 15).some((byte) => byte > 0);
  if (isCompatible) return address.slice(12);
  const carrier = carriers.find(({ prefix, bits }) => isWithin(address, parseV6(prefix) ?? [], bits));
  return carrier ? address.slice(carrier.at, carrier.at + 4) : address;
};

const groupsOf = (address: Address): number[] =>
  Array.from({ length: 8 }, (_, index) => (address[2 * index] ?? 0) * 256 + (address[2 * index + 1] ?? 0));
