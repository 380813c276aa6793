/** What is wrong in some bytes of a program stream: where numbers of two bytes stand that must be 0. */
type WrongPointers = {
  readonly at: readonly number[];
  /** As far as whole packets were read; the next bytes begin there. */
  readonly read: number;
};

const codes = { pack: 0xba, end: 0xb9, private: 0xbd } as const;

/**
 * A packet of AC-3 or DTS says where in it the first frame begins, or 0 if none does. ffmpeg names a place behind the
 * packet instead where a frame is longer than that (640 kbit/s, or 32,000 samples a second), and readers give up there.
 */
export const wrongPointersIn = (bytes: Uint8Array): WrongPointers => {
  const found: number[] = [];
  let at = 0;
  while (at + 6 <= bytes.length) {
    if (!isStart(bytes, at)) {
      at += 1;
      continue;
    }
    const end = at + lengthOf(bytes, at);
    if (end > bytes.length) break;
    const pointer = bytes[at + 3] === codes.private ? pointerIn(bytes, at, end) : undefined;
    if (pointer !== undefined) found.push(pointer);
    at = end;
  }
  return { at: found, read: at };
};

const isStart = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0 && bytes[at + 1] === 0 && bytes[at + 2] === 1 && (bytes[at + 3] ?? 0) >= codes.end;

const number16 = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);

/** Heads of packs say how many bytes fill them (ISO/IEC 13818-1, 2.5.3.3), those of ISO/IEC 11172-1 are shorter. */
const lengthOf = (bytes: Uint8Array, at: number): number => {
  if (bytes[at + 3] === codes.end) return 4;
  if (bytes[at + 3] !== codes.pack) return 6 + number16(bytes, at + 4);
  return ((bytes[at + 4] ?? 0) & 0xc0) === 0x40 ? 14 + ((bytes[at + 13] ?? 0) & 7) : 12;
};

/** Behind the number of the stream within the private one, and the number of frames that begin in the packet. */
const pointerIn = (bytes: Uint8Array, at: number, end: number): number | undefined => {
  const payload = at + 9 + (bytes[at + 8] ?? 0);
  const stream = bytes[payload] ?? 0;
  if (payload + 4 > end || stream < 0x80 || stream > 0x8f) return undefined;
  return number16(bytes, payload + 2) > end - payload - 4 ? payload + 2 : undefined;
};
