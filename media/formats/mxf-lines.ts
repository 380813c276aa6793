/** Two lines of a picture's descriptor, and where in the bytes they are written. */
export type LineMap = { readonly at: number; readonly lines: readonly [first: number, second: number] };

/** Sets of metadata: their keys begin so (SMPTE 377-1, 9.3), and their items have tags and lengths of two bytes. */
const setKey = [0x06, 0x0e, 0x2b, 0x34, 0x02, 0x53, 0x01];
const everyKey = setKey.slice(0, 4);
const keyBytes = 16;

/** Item *Video Line Map*: the first lines of both fields (SMPTE 377-1, G.2.6). */
const lineMapTag = 0x320d;
/** A count of two numbers of four bytes, and the numbers. */
const lineMapBytes = 16;

/** Every map of lines in the header of an MXF file; none where the bytes are no header. */
export const lineMapsIn = (header: Uint8Array): LineMap[] => {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const found: LineMap[] = [];
  for (let at = 0; at + keyBytes < header.length && begins(header, at, everyKey); ) {
    const { from, length } = lengthAt(view, at + keyBytes);
    const until = from + length;
    if (until > header.length) break;
    if (begins(header, at, setKey)) found.push(...mapsOfSet(view, from, until));
    at = until;
  }
  return found;
};

const begins = (bytes: Uint8Array, at: number, key: readonly number[]): boolean =>
  key.every((byte, index) => bytes[at + index] === byte);

/** The length of a value, short or of as many bytes as its first one says (BER). */
const lengthAt = (view: DataView, at: number): { from: number; length: number } => {
  const first = view.getUint8(at);
  if (first < 0x80) return { from: at + 1, length: first };
  const count = first & 0x7f;
  const from = at + 1 + count;
  if (from > view.byteLength) return { from, length: 0 };
  let length = 0;
  for (let index = at + 1; index < from; index += 1) length = length * 256 + view.getUint8(index);
  return { from, length };
};

const mapsOfSet = (view: DataView, from: number, until: number): LineMap[] => {
  const found: LineMap[] = [];
  for (let at = from; at + 4 <= until; at += 4 + view.getUint16(at + 2)) {
    const value = at + 4;
    if (view.getUint16(at) !== lineMapTag || view.getUint16(at + 2) !== lineMapBytes) continue;
    if (value + lineMapBytes > until || view.getUint32(value) !== 2) continue;
    found.push({ at: value + 8, lines: [view.getUint32(value + 8), view.getUint32(value + 12)] });
  }
  return found;
};
