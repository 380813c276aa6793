import { joined } from "../joined-bytes.ts";

/** An element of EBML (RFC 8794): its number with its marker, and its payload. */
export type Element = { readonly id: number; readonly payload: Uint8Array };

/** Where an element lies in some bytes: its head and its payload. */
export type Place = { readonly id: number; readonly at: number; readonly from: number; readonly to: number };

/** The element at an offset; undefined where there is none, or where it says no length or does not end within the bytes. */
export const elementAt = (bytes: Uint8Array, at: number): Place | undefined => {
  const idLength = lengthOf(bytes[at]);
  const sizeLength = lengthOf(bytes[at + idLength]);
  const from = at + idLength + sizeLength;
  if (idLength > 4 || sizeLength > 8 || from > bytes.length) return undefined;
  const id = numberOf(bytes.subarray(at, at + idLength));
  const [first = 0, ...others] = bytes.subarray(at + idLength, from);
  // Without the marker, so that eight bytes are exact.
  const size = numberOf([first & (0xff >> sizeLength), ...others]);
  const isKnown = size < 2 ** (7 * sizeLength) - 1;
  return { id, at, from, to: isKnown ? from + size : Number.POSITIVE_INFINITY };
};

/** Bytes of a number whose first one has a marker; more than eight where there is none. */
const lengthOf = (first = 0): number => Math.clz32(first) - 23;

const numberOf = (bytes: Iterable<number>): number => [...bytes].reduce((sum, byte) => sum * 256 + byte, 0);

/** The elements that fill the payload of another; what is damaged ends the list. */
export const elementsIn = (payload: Uint8Array): Element[] => {
  const found: Element[] = [];
  for (let at = 0; at < payload.length; ) {
    const place = elementAt(payload, at);
    if (!place || place.to > payload.length) break;
    found.push({ id: place.id, payload: payload.subarray(place.from, place.to) });
    at = place.to;
  }
  return found;
};

/** The bytes of an element; its length has as many bytes as it needs, or as many as are given. */
export const printElement = ({ id, payload }: Element, sizeLength = shortest(payload.length)): Uint8Array => {
  const head = [...digits(id, id > 0xff_ffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1)];
  const size = digits(payload.length, sizeLength);
  size[0] = (size[0] ?? 0) | (0x100 >> sizeLength);
  const made = new Uint8Array(head.length + size.length + payload.length);
  made.set(head);
  made.set(size, head.length);
  made.set(payload, head.length + size.length);
  return made;
};

const shortest = (size: number): number => {
  let length = 1;
  while (size >= 2 ** (7 * length) - 1) length += 1;
  return length;
};

const digits = (number: number, count: number): Uint8Array => {
  const made = new Uint8Array(count);
  let rest = number;
  for (let at = count - 1; at >= 0; at -= 1) {
    made[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return made;
};

/** The payload of these elements. */
export const printElements = (elements: readonly Element[]): Uint8Array =>
  joined(elements.map((each) => printElement(each)));
