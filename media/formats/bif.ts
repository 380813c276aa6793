/**
 * Roku's base index frames (BIF), version 0: a magic number, counts, an index of (timestamp, offset), then the pictures
 * as JPEG. All numbers have 32 bits, little endian; the header has 64 bytes.
 */
const magic = [0x89, 0x42, 0x49, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const headerBytes = 64;
const entryBytes = 8;
/** Marks the end of the index, in place of a timestamp. */
const lastEntry = 0xffffffff;

/**
 * Everything before the pictures. `multiplier` is the length of one timestamp step in milliseconds; picture n has the
 * timestamp n.
 */
export const bifHead = (sizes: readonly number[], multiplier: number): Uint8Array => {
  const bytes = new Uint8Array(headerBytes + entryBytes * (sizes.length + 1));
  const view = new DataView(bytes.buffer);
  bytes.set(magic);
  view.setUint32(12, sizes.length, true);
  view.setUint32(16, multiplier, true);
  let offset = bytes.length;
  for (const [number, size] of sizes.entries()) {
    view.setUint32(headerBytes + entryBytes * number, number, true);
    view.setUint32(headerBytes + entryBytes * number + 4, offset, true);
    offset += size;
  }
  view.setUint32(headerBytes + entryBytes * sizes.length, lastEntry, true);
  view.setUint32(headerBytes + entryBytes * sizes.length + 4, offset, true);
  return bytes;
};
