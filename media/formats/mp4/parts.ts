/** The boxes of an MP4 or QuickTime file that lie in these bytes from an offset on, whole; what is damaged is the last one. */
export const boxesIn = (bytes: Uint8Array, from: number): Uint8Array[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: Uint8Array[] = [];
  for (let at = from; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at);
    if (size < 8 || at + size > bytes.length) return [...found, bytes.subarray(at)];
    found.push(bytes.subarray(at, at + size));
    at += size;
  }
  return found;
};

/** Four letters: a box's type is at 4. */
export const textAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));

/** A box of these parts. */
export const boxed = (type: string, parts: readonly Uint8Array[]): Uint8Array => {
  const size = parts.reduce((sum, part) => sum + part.length, 8);
  const made = new Uint8Array(size);
  new DataView(made.buffer).setUint32(0, size);
  made.set(new TextEncoder().encode(type), 4);
  let at = 8;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
};
