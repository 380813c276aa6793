import { bytesOfHex } from "../../shared/basics/hex.ts";
import { bytesOfBase64 } from "../packaging/parse-keys.ts";

/** PlayReady's system id (DASH-IF, content protection). */
const playReady = "9a04f07998404286ab92e65be0885f95";

/**
 * A whole `pssh` box (ISO/IEC 23001-7, 8.1) from hexadecimal or base64. A PlayReady object, or its header as text, is put
 * into one. Undefined for anything else.
 */
export const psshBoxOf = (text: string, system: "playready" | "widevine"): Uint8Array | undefined => {
  const header = /^\s*<WRMHEADER[\s\S]*<\/WRMHEADER>\s*$/.exec(text)?.[0].trim();
  const bytes = header ? objectOf(header) : bytesOf(text.replaceAll(/\s/g, ""));
  if (!bytes || bytes.length < 10) return undefined;
  if (isBox(bytes)) return bytes;
  return system === "playready" && isObject(bytes) ? boxed(bytes) : undefined;
};

const bytesOf = (text: string): Uint8Array | undefined =>
  /^([0-9a-f]{2}){8,}$/i.test(text) ? bytesOfHex(text) : bytesOfBase64(text);

/** Its size is that of all bytes, or several boxes follow each other; each has a system and data of the right size. */
const isBox = (bytes: Uint8Array): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at + 32 <= bytes.length && view.getUint32(at + 4) === 0x70737368) {
    const size = view.getUint32(at);
    const ids = bytes[at + 8] === 0 ? 0 : 4 + view.getUint32(at + 28) * 16;
    const data = at + 28 + ids;
    if (size < 32 || at + size > bytes.length || data + 4 > at + size) return false;
    if (view.getUint32(data) !== at + size - data - 4) return false;
    at += size;
  }
  return at > 0 && at === bytes.length;
};

/** A PlayReady object begins with its length and the number of its records, low bytes first. */
const isObject = (bytes: Uint8Array): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [length, records] = [view.getUint32(0, true), view.getUint16(4, true)];
  let at = 6;
  for (let nr = 0; nr < records && at + 4 <= bytes.length; nr += 1) at += 4 + view.getUint16(at + 2, true);
  return length === bytes.length && records > 0 && at === bytes.length;
};

/** The header in UTF-16 as the only record, of type 1 (PlayReady Header Object). */
const objectOf = (header: string): Uint8Array => {
  const made = new DataView(new ArrayBuffer(10 + header.length * 2));
  made.setUint32(0, made.byteLength, true);
  made.setUint16(4, 1, true);
  made.setUint16(6, 1, true);
  made.setUint16(8, header.length * 2, true);
  for (let at = 0; at < header.length; at += 1) made.setUint16(10 + at * 2, header.charCodeAt(at), true);
  return new Uint8Array(made.buffer);
};

const boxed = (data: Uint8Array): Uint8Array => {
  const made = new Uint8Array(32 + data.length);
  const view = new DataView(made.buffer);
  view.setUint32(0, made.length);
  view.setUint32(4, 0x70737368);
  made.set(bytesOfHex(playReady), 12);
  view.setUint32(28, data.length);
  made.set(data, 32);
  return made;
};
