/** The times of one stream in a piece of transport stream, in ticks of 90 kHz. */
export type StreamTimes = {
  readonly pid: number;
  readonly type: number;
  readonly first: number;
  readonly last: number;
  readonly beginsWithKey: boolean;
};

const packetBytes = 188;

type Unit = { readonly pid: number; readonly payload: Buffer; readonly isKey: boolean };

/** The packets that begin a table or a unit of a stream. */
const unitsOf = function* (bytes: Buffer): Generator<Unit> {
  for (let at = 0; at + packetBytes <= bytes.length; at += packetBytes) {
    const packet = bytes.subarray(at, at + packetBytes);
    if (packet[0] !== 0x47) throw new Error(`no packet at ${at}`);
    if ((packet.readUInt8(1) & 0x40) === 0) continue;
    const payload = packet.subarray(4 + (packet.readUInt8(3) & 0x20 ? packet.readUInt8(4) + 1 : 0));
    yield { pid: packet.readUInt16BE(1) & 0x1fff, payload, isKey: isRandomAccess(packet) };
  }
};

/** The streams of a segment that begins with its tables, as HLS demands it. */
export const transportTimes = (
  bytes: Buffer,
): { readonly streams: StreamTimes[]; readonly beginsWithTables: boolean } => {
  const found = new Map<number, StreamTimes>();
  const types = new Map<number, number>();
  let pmt = -1;
  for (const { pid, payload, isKey } of unitsOf(bytes)) {
    if (pid === 0) pmt = payload.readUInt16BE(1 + 10) & 0x1fff;
    else if (pid === pmt) for (const [each, type] of streamTypes(payload.subarray(1))) types.set(each, type);
    const type = types.get(pid);
    if (type !== undefined) see(found, { pid, type }, payload, isKey || beginsDecoding(payload, type));
  }
  return { streams: [...found.values()], beginsWithTables: [0, 17].includes(bytes.readUInt16BE(1) & 0x1fff) };
};

/** Whether a unit of a stream of this type begins with what a decoder can start from, as far as one packet shows it. */
const beginsDecoding = (payload: Buffer, type: number): boolean => {
  for (let at = payload.indexOf("\0\0\x01", 9, "latin1"); at >= 0; at = payload.indexOf("\0\0\x01", at + 3, "latin1")) {
    const code = payload[at + 3] ?? 0;
    if (
      type === 0x24
        ? [32, 33, 19, 20, 21].includes((code >> 1) & 63)
        : type <= 2
          ? code === 0xb3
          : [5, 7].includes(code & 31)
    )
      return true;
  }
  return false;
};

const isRandomAccess = (packet: Buffer): boolean =>
  (packet.readUInt8(3) & 0x20) !== 0 && packet.readUInt8(4) > 0 && (packet.readUInt8(5) & 0x40) !== 0;

const see = (
  found: Map<number, StreamTimes>,
  stream: Pick<StreamTimes, "pid" | "type">,
  unit: Buffer,
  isKey: boolean,
) => {
  if (unit.readUIntBE(0, 3) !== 1 || ((unit[7] ?? 0) & 0x80) === 0) return;
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = unit.subarray(9);
  const time = ((a >> 1) & 7) * 2 ** 30 + b * 2 ** 22 + (c >> 1) * 2 ** 15 + d * 2 ** 7 + (e >> 1);
  const known = found.get(stream.pid);
  found.set(stream.pid, {
    ...{ ...stream, first: Math.min(known?.first ?? time, time), last: Math.max(known?.last ?? time, time) },
    beginsWithKey: known?.beginsWithKey ?? isKey,
  });
};

const streamTypes = (pmt: Buffer): [pid: number, type: number][] => {
  const end = Math.min(pmt.length, 3 + (pmt.readUInt16BE(1) & 0xfff) - 4);
  const types: [number, number][] = [];
  for (let at = 12 + (pmt.readUInt16BE(10) & 0xfff); at + 5 <= end; at += 5 + (pmt.readUInt16BE(at + 3) & 0xfff))
    types.push([pmt.readUInt16BE(at + 1) & 0x1fff, pmt.readUInt8(at)]);
  return types;
};

/** Stream types of pictures (ISO/IEC 13818-1, table 2-34); plus 0xdb with SAMPLE-AES. */
export const isPicture = ({ type }: StreamTimes): boolean => [1, 2, 0x10, 0x1b, 0x24, 0xdb].includes(type);
