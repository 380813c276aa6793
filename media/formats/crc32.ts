/** The checksum at the end of every section of a transport stream (CRC-32/MPEG-2). */
export const crc32 = (bytes: Uint8Array): number => bytes.reduce((crc, byte) => step(crc ^ (byte << 24)), -1) >>> 0;

const step = (crc: number): number => {
  let next = crc;
  for (let bit = 0; bit < 8; bit += 1) next = next < 0 ? (next << 1) ^ 0x04c11db7 : next << 1;
  return next;
};

/** Writes the checksum into the section's last four bytes. */
export const withCrc = (section: Uint8Array): Uint8Array => {
  new DataView(section.buffer, section.byteOffset).setUint32(section.length - 4, crc32(section.subarray(0, -4)));
  return section;
};

/** Over a whole section the checksum is zero. */
export const isIntact = (section: Uint8Array): boolean => section.length > 4 && crc32(section) === 0;
