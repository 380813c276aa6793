/** The few kinds of DER values that a certificate consists of. Each function returns a value with its tag and length. */
export const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts);
export const set = (...parts: readonly Buffer[]): Buffer => tagged(0x31, ...parts);
export const octets = (bytes: Buffer): Buffer => tagged(0x04, bytes);
export const text = (value: string): Buffer => tagged(0x0c, Buffer.from(value, "utf8"));
export const yes = (): Buffer => tagged(0x01, Buffer.from([0xff]));

/** A context-specific value: `isWhole` if it contains other values. */
export const context = (nr: number, isWhole: boolean, ...parts: readonly Buffer[]): Buffer =>
  tagged(0x80 + nr + (isWhole ? 0x20 : 0), ...parts);

/** A positive number of any size. */
export const integer = (bytes: Buffer): Buffer => {
  const first = bytes.findIndex((byte) => byte !== 0);
  const short = first < 0 ? Buffer.from([0]) : bytes.subarray(first);
  return tagged(0x02, (short[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), short]) : short);
};

export const bits = (bytes: Buffer, unused = 0): Buffer => tagged(0x03, Buffer.from([unused]), bytes);

/** An object identifier such as `2.5.4.3`. */
export const identifier = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
};

/** Years before 2050 have two digits, later ones four: the standard demands both. */
export const time = (milliseconds: number): Buffer => {
  const digits = `${new Date(milliseconds).toISOString().replaceAll(/\D/g, "").slice(0, 14)}Z`;
  const isShort = Number(digits.slice(0, 4)) < 2050;
  return tagged(isShort ? 0x17 : 0x18, Buffer.from(isShort ? digits.slice(2) : digits, "ascii"));
};

const tagged = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(body.length)]), body]);
};

const lengthOf = (length: number): number[] => {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return [0x80 + bytes.length, ...bytes];
};

const base128 = (value: number): number[] => {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
};
