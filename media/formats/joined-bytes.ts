/** All bytes of the parts, one after the other. */
export const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const made = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
};
