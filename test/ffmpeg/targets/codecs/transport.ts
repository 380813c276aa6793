import { readFileSync } from "node:fs";

/** What a transport stream says of itself, read from its packets by the standard (ISO 13818-1). */
export type Transport = {
  readonly id: number;
  readonly pmtPid: number;
  readonly pcrPid: number;
  readonly pids: readonly number[];
  /** The longest time between two clock references, in milliseconds. */
  readonly pcrGap: number;
  readonly bytes: number;
};

const packetBytes = 188;

export const readTransport = (path: string): Transport => {
  const file = readFileSync(path);
  const packets = Array.from({ length: Math.floor(file.length / packetBytes) }, (_, at) =>
    file.subarray(at * packetBytes, (at + 1) * packetBytes),
  );
  const pat = sectionOf(packets, 0);
  const pmtPid = pat.readUInt16BE(10) & 0x1fff;
  const pmt = sectionOf(packets, pmtPid);
  const pcrPid = pmt.readUInt16BE(8) & 0x1fff;
  const clocks = packets.filter((packet) => pidOf(packet) === pcrPid).flatMap(clockOf);
  const gaps = clocks.slice(1).map((clock, at) => clock - (clocks[at] ?? 0));
  return {
    id: pat.readUInt16BE(3),
    pmtPid,
    pcrPid,
    pids: streamsOf(pmt),
    pcrGap: Math.max(...gaps),
    bytes: file.length,
  };
};

const pidOf = (packet: Buffer): number => packet.readUInt16BE(1) & 0x1fff;

const sectionOf = (packets: readonly Buffer[], pid: number): Buffer => {
  const packet = packets.find((each) => pidOf(each) === pid && (each.readUInt8(1) & 0x40) !== 0);
  if (!packet) throw new Error(`no section of pid ${pid}`);
  const start = 4 + ((packet.readUInt8(3) & 0x20) === 0 ? 0 : packet.readUInt8(4) + 1);
  return packet.subarray(start + 1 + packet.readUInt8(start));
};

const streamsOf = (pmt: Buffer): number[] => {
  const end = 3 + (pmt.readUInt16BE(1) & 0xfff) - 4;
  const pids: number[] = [];
  for (let at = 12 + (pmt.readUInt16BE(10) & 0xfff); at < end; at += 5 + (pmt.readUInt16BE(at + 3) & 0xfff)) {
    pids.push(pmt.readUInt16BE(at + 1) & 0x1fff);
  }
  return pids;
};

/** Milliseconds of the packet's clock reference, where it has one. */
const clockOf = (packet: Buffer): number[] => {
  const hasField = (packet.readUInt8(3) & 0x20) !== 0 && packet.readUInt8(4) > 6;
  if (!hasField || (packet.readUInt8(5) & 0x10) === 0) return [];
  return [(packet.readUInt32BE(6) * 2 + (packet.readUInt8(10) >> 7)) / 90];
};
