/** Bytes as lower-case hexadecimal digits. */
export const hexOfBytes = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes that pairs of hexadecimal digits stand for. */
export const bytesOfHex = (text: string): Uint8Array =>
  Uint8Array.from({ length: text.length / 2 }, (_, index) => Number.parseInt(text.slice(index * 2, index * 2 + 2), 16));
