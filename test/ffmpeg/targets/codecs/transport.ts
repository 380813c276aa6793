import { readFileSync } from "node:fs";

/** What a transport stream says of itself, read from its packets by the standard (ISO 13818-1). */
export type Transport = {
  readonly id: number;
  readonly pmtPid: number;
  readonly pcrPid: number;
  readonly pids: readonly number[];
  /** Their types, and the tags of their descriptors. */
  readonly types: readonly { readonly type: number; readonly descriptors: readonly number[] }[];
  /** The longest time between two clock references, in milliseconds. */
  readonly pcrGap: number;
  /** The longest time between two tables of programmes. */
  readonly tableGap: number;
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
    pids: streamsOf(pmt).map(({ pid }) => pid),
    types: streamsOf(pmt).map(({ type, descriptors }) => ({ type, descriptors })),
    pcrGap: Math.max(...gaps),
    tableGap: tableGapOf(packets, pcrPid),
    bytes: file.length,
  };
};

/** Bytes between two clock references arrive at one rate. */
const tableGapOf = (packets: readonly Buffer[], pcrPid: number): number => {
  const clocks = packets.flatMap((packet, at) =>
    (pidOf(packet) === pcrPid ? clockOf(packet) : []).map((ms) => ({ at, ms })),
  );
  const times = packets.flatMap((packet, at) => {
    const next = clocks.findIndex((clock) => clock.at > at);
    const [before, after] = [clocks[next - 1], clocks[next]];
    if (pidOf(packet) !== 0 || !before || !after) return [];
    return [before.ms + ((after.ms - before.ms) * (at - before.at)) / (after.at - before.at)];
  });
  return Math.max(0, ...times.slice(1).map((time, at) => time - (times[at] ?? 0)));
};

const pidOf = (packet: Buffer): number => packet.readUInt16BE(1) & 0x1fff;

const sectionOf = (packets: readonly Buffer[], pid: number): Buffer => {
  const packet = packets.find((each) => pidOf(each) === pid && (each.readUInt8(1) & 0x40) !== 0);
  if (!packet) throw new Error(`no section of pid ${pid}`);
  const start = 4 + ((packet.readUInt8(3) & 0x20) === 0 ? 0 : packet.readUInt8(4) + 1);
  return packet.subarray(start + 1 + packet.readUInt8(start));
};

const streamsOf = (pmt: Buffer) => {
  const end = 3 + (pmt.readUInt16BE(1) & 0xfff) - 4;
  const streams: { pid: number; type: number; descriptors: number[] }[] = [];
  for (let at = 12 + (pmt.readUInt16BE(10) & 0xfff); at < end; at += 5 + (pmt.readUInt16BE(at + 3) & 0xfff)) {
    const [from, length] = [at + 5, pmt.readUInt16BE(at + 3) & 0xfff];
    const descriptors = tagsIn(pmt.subarray(from, from + length));
    streams.push({ pid: pmt.readUInt16BE(at + 1) & 0x1fff, type: pmt.readUInt8(at), descriptors });
  }
  return streams;
};

const tagsIn = (bytes: Buffer): number[] => {
  const tags: number[] = [];
  for (let at = 0; at + 2 <= bytes.length; at += 2 + bytes.readUInt8(at + 1)) tags.push(bytes.readUInt8(at));
  return tags;
};

/** Milliseconds of the packet's clock reference, where it has one. */
const clockOf = (packet: Buffer): number[] => {
  const hasField = (packet.readUInt8(3) & 0x20) !== 0 && packet.readUInt8(4) > 6;
  if (!hasField || (packet.readUInt8(5) & 0x10) === 0) return [];
  return [(packet.readUInt32BE(6) * 2 + (packet.readUInt8(10) >> 7)) / 90];
};
