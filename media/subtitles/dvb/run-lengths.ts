/** Bits to a pixel of a DVB subtitle. */
export type Depth = 2 | 4 | 8;

/** A sink of bits, the highest of a byte first. */
const createBits = () => {
  const bytes: number[] = [];
  let [held, count] = [0, 0];
  return {
    put: (value: number, length: number): void => {
      for (let bit = length - 1; bit >= 0; bit -= 1) {
        held = (held << 1) | ((value >> bit) & 1);
        count += 1;
        if (count === 8) {
          bytes.push(held);
          [held, count] = [0, 0];
        }
      }
    },
    end: (): number[] => {
      if (count > 0) bytes.push(held << (8 - count));
      return bytes;
    },
  };
};
type Put = ReturnType<typeof createBits>["put"];

/**
 * One line of pixels as a pixel-data sub-block (ETSI EN 300 743, 7.2.5): its data type, a code string and the mark that
 * the line ends.
 */
export const lineBlock = (line: Uint8Array, depth: Depth): number[] => {
  const bits = createBits();
  const { write, end, type } = strings[depth];
  for (let at = 0; at < line.length; ) {
    const color = line[at] ?? 0;
    let length = 1;
    while (at + length < line.length && line[at + length] === color) length += 1;
    at += length;
    while (length > 0) length -= write(bits.put, color, length);
  }
  end(bits.put);
  return [type, ...bits.end(), 0xf0];
};

type Strings = {
  readonly type: number;
  /** Writes the beginning of a run, and tells how many pixels that are. */
  readonly write: (put: Put, color: number, length: number) => number;
  readonly end: (put: Put) => void;
};

const writePair: Strings["write"] = (put, color, length) => {
  if (color !== 0 && length < 3) {
    put(color, 2);
    return 1;
  }
  put(0, 2);
  if (length >= 29) return long(put, { code: 0b0011, bits: 8, least: 29, most: 284 }, color, length, 2);
  if (length >= 12) return long(put, { code: 0b0010, bits: 4, least: 12, most: 27 }, color, length, 2);
  if (length >= 3) return long(put, { code: 0b1, bits: 3, least: 3, most: 10, size: 1 }, color, length, 2);
  if (length === 2) put(0b0001, 4);
  else put(0b01, 2);
  return length;
};

const writeNibble: Strings["write"] = (put, color, length) => {
  if (color !== 0 && length < 4) {
    put(color, 4);
    return 1;
  }
  put(0, 4);
  if (color === 0 && length >= 3 && length <= 9) {
    put(length - 2, 4);
    return length;
  }
  if (length >= 25) return long(put, { code: 0b1111, bits: 8, least: 25, most: 280 }, color, length, 4);
  if (length >= 9) return long(put, { code: 0b1110, bits: 4, least: 9, most: 24 }, color, length, 4);
  if (length >= 4) return long(put, { code: 0b10, bits: 2, least: 4, most: 7, size: 2 }, color, length, 4);
  put(length === 2 ? 0b1101 : 0b1100, 4);
  return Math.min(2, length);
};

const writeByte: Strings["write"] = (put, color, length) => {
  if (color !== 0 && length < 3) {
    put(color, 8);
    return 1;
  }
  put(0, 8);
  const most = Math.min(127, length);
  put(color === 0 ? most : 0x80 | most, 8);
  if (color !== 0) put(color, 8);
  return most;
};

type Run = {
  readonly code: number;
  readonly bits: number;
  readonly least: number;
  readonly most: number;
  readonly size?: number;
};

const long = (put: Put, { code, bits, least, most, size = 4 }: Run, color: number, length: number, depth: number) => {
  const run = Math.min(most, length);
  put(code, size);
  put(run - least, bits);
  put(color, depth);
  return run;
};

const strings: Readonly<Record<Depth, Strings>> = {
  2: { type: 0x10, write: writePair, end: (put) => put(0, 6) },
  4: { type: 0x11, write: writeNibble, end: (put) => put(0, 8) },
  8: { type: 0x12, write: writeByte, end: (put) => put(0, 16) },
};
