/**
 * A small decoder of CEA-708, written against CTA-708-E and not against our encoder: what each service shows after every
 * picture.
 */
export type Seen = { readonly picture: number; readonly service: number; readonly text: string };

type Window = { isShown: boolean; rows: string[]; row: number; column: number };

/** How many bytes follow each command of the set C1. */
const parameters = (command: number): number => {
  if (command >= 0x98) return 6;
  if (command >= 0x88 && command <= 0x8d) return 1;
  return { 144: 2, 145: 3, 146: 2, 151: 4 }[command] ?? 0;
};

/** The changes of what is seen. `packets` are those of each picture, empty where there is none. */
export const seenOfPackets = (packets: readonly (readonly number[])[]): Seen[] => {
  const windows = new Map<string, Window>();
  const current = new Map<number, number>();
  const seen: Seen[] = [];
  const last = new Map<number, string>();
  let count = -1;
  for (const [picture, packet] of packets.entries()) {
    const [head, ...rest] = packet;
    if (head === undefined) continue;
    if (count >= 0 && head >> 6 !== (count + 1) % 4) throw new Error(`a packet is missing before picture ${picture}`);
    count = head >> 6;
    if ((head & 0x3f) * 2 !== packet.length) throw new Error(`picture ${picture}: a packet of another size`);
    for (const { service, bytes } of blocksIn(rest)) perform(bytes, service, windows, current);
    for (const service of new Set([...windows.keys()].map((key) => Number(key.split(":")[0])))) {
      const shown = [...windows].filter(([key, { isShown }]) => isShown && key.startsWith(`${service}:`));
      const text = shown.map(([, { rows }]) => rows.map((row) => row.trim()).join("|")).join(" + ");
      if ((last.get(service) ?? "") !== text) seen.push({ picture, service, text });
      last.set(service, text);
    }
  }
  return seen;
};

type Block = { readonly service: number; readonly bytes: readonly number[] };

/** The blocks of a packet behind its head; a service of number 0 ends them. */
const blocksIn = (bytes: readonly number[], at = 0): readonly Block[] => {
  const head = bytes[at] ?? 0;
  const [service, size] = [head >> 5, head & 0x1f];
  if (service === 0) return [];
  return [{ service, bytes: bytes.slice(at + 1, at + 1 + size) }, ...blocksIn(bytes, at + 1 + size)];
};

const perform = (
  bytes: readonly number[],
  service: number,
  windows: Map<string, Window>,
  current: Map<number, number>,
): void => {
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const window = windows.get(`${service}:${current.get(service)}`);
    if (isCommand(byte)) {
      const size = parameters(byte);
      const values = bytes.slice(at + 1, at + 1 + size);
      if (values.length < size) throw new Error("a command is parted");
      command(byte, values, service, windows, current);
      at += 1 + size;
    } else if (byte === 0x10) {
      write(window, furtherLetters[bytes[at + 1] ?? 0] ?? "?");
      at += 2;
    } else {
      if (byte >= 0x20) write(window, letterOf(byte));
      at += 1;
    }
  }
};

/** The set C1. */
const isCommand = (byte: number): boolean => byte >= 0x80 && byte <= 0x9f;
/** The sets G0 and G1. */
const letterOf = (byte: number): string => (byte === 0x7f ? "♪" : String.fromCharCode(byte));
/** Some of the set G2. */
const furtherLetters: Readonly<Record<number, string>> = { 37: "…", 42: "Š", 51: "“", 52: "”", 50: "’" };

const write = (window: Window | undefined, letter: string): void => {
  if (!window) throw new Error("a letter outside of all windows");
  const row = (window.rows[window.row] ?? "").padEnd(window.column);
  window.rows[window.row] = row.slice(0, window.column) + letter + row.slice(window.column + 1);
  window.column += 1;
};

const command = (
  code: number,
  values: readonly number[],
  service: number,
  windows: Map<string, Window>,
  current: Map<number, number>,
): void => {
  const [first = 0, second = 0] = values;
  if (code >= 0x98) {
    windows.set(`${service}:${code - 0x98}`, { isShown: (first & 0x20) !== 0, rows: [], row: 0, column: 0 });
    current.set(service, code - 0x98);
  }
  if (code === 0x92) {
    const window = windows.get(`${service}:${current.get(service)}`);
    if (window) [window.row, window.column] = [first, second];
  }
  for (let bit = 0; bit < 8; bit += 1) {
    const key = `${service}:${bit}`;
    const window = windows.get(key);
    if ((first & (1 << bit)) === 0 || !window) continue;
    if (code === 0x89) window.isShown = true;
    if (code === 0x8a) window.isShown = false;
    if (code === 0x8c) window.isShown = false;
  }
};

/** The packets of the caption channel in an H.264 byte stream without reordered pictures, one entry a picture. */
export const packetsOfStream = (stream: Buffer): number[][] => {
  const packets: number[][] = [];
  let waiting: number[] = [];
  for (const unit of unitsOf(stream)) {
    const kind = (unit[0] ?? 0) & 31;
    if (kind === 6) waiting = [...waiting, ...packetIn(unit)];
    if (kind !== 1 && kind !== 5) continue;
    packets.push(waiting);
    waiting = [];
  }
  return packets;
};

/** The same in an MPEG-2 stream, where they are user data behind a picture's head. */
export const packetsOfMpeg2 = (stream: Buffer): number[][] => {
  const packets: number[][] = [];
  for (const unit of unitsOf(stream)) {
    if (unit[0] === 0x00) packets.push([]);
    if (unit[0] === 0xb2) packets.at(-1)?.push(...packetIn(unit));
  }
  return packets;
};

const unitsOf = (stream: Buffer): Buffer[] => {
  const starts: number[] = [];
  for (let at = stream.indexOf("000001", 0, "hex"); at !== -1; at = stream.indexOf("000001", at + 3, "hex"))
    starts.push(at + 3);
  return starts.map((start, at) => stream.subarray(start, (starts[at + 1] ?? stream.length + 3) - 3));
};

/** Streams of MPEG-2 have no bytes against false starts, and nothing that looks like one. */
const packetIn = (unit: Buffer): number[] => {
  const bytes = Buffer.from(unit.toString("hex").replaceAll(/((?:..)*?)000003/g, "$10000"), "hex");
  const at = bytes.indexOf("GA94");
  if (at < 0) return [];
  const count = (bytes[at + 5] ?? 0) & 31;
  return Array.from({ length: count }, (_, index) => at + 7 + index * 3).flatMap((place) =>
    [0xfe, 0xff].includes(bytes[place] ?? 0) ? [bytes[place + 1] ?? 0, bytes[place + 2] ?? 0] : [],
  );
};
