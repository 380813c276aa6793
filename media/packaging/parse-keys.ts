import { hexOfBytes } from "../../shared/basics/hex.ts";
import { definitionError } from "../../shared/model/failure.ts";

/**
 * A key, key id or initialisation vector as 32 lower-case hexadecimal digits. Accepts hexadecimal (with or without
 * `0x`), UUID and base64. Throws TaskError without repeating the value.
 */
export const parseHexKey = (text: string, what: string): string => {
  const bare = text.trim().replace(/^0x/i, "");
  const digits = bare.replaceAll("-", "");
  if (/^[0-9a-f]+$/i.test(digits) && digits.length >= 32 && digits.length <= 33)
    return digits.slice(0, 32).toLowerCase();
  const bytes = fromBase64(bare);
  if (bytes?.length === 16) return hexOfBytes(bytes);
  throw definitionError(`${what} is not 16 bytes in hexadecimal, base64 or as a UUID`);
};

/** The same for an initialisation vector, which may have 8 bytes as well: then of 16 digits. */
export const parseIv = (text: string, what: string): string => {
  const bare = text.trim().replace(/^0x/i, "");
  if (/^[0-9a-f]{16}$/i.test(bare)) return bare.toLowerCase();
  const bytes = /^[A-Za-z0-9+/_-]{11}=?$/.test(bare) ? bytesOfBase64(bare) : undefined;
  return bytes?.length === 8 ? hexOfBytes(bytes) : parseHexKey(text, what);
};

const fromBase64 = (text: string): Uint8Array | undefined =>
  /^[A-Za-z0-9+/_-]{22}(==)?$/.test(text) ? bytesOfBase64(text) : undefined;

/** The bytes of a text in base64, of either alphabet; undefined if it is none. */
export const bytesOfBase64 = (text: string): Uint8Array | undefined => {
  try {
    const standard = text.replaceAll("-", "+").replaceAll("_", "/");
    return Uint8Array.from(atob(standard), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined; // atob throws for anything else
  }
};
