import { isIPv4 } from "node:net";

/** The 4 or 16 bytes of a valid IP address. */
export const addressBytes = (address: string): Buffer => {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  const plain = new URL(`http://[${address}]/`).hostname.slice(1, -1); // without dots, in lower case
  const [head = "", tail] = plain.split("::");
  const [before, after] = [groupsOf(head), groupsOf(tail ?? "")];
  const zeros = Array<number>(8 - before.length - after.length).fill(0);
  return Buffer.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]));
};

const groupsOf = (text: string): number[] =>
  text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
