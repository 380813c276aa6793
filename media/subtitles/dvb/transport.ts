import { withCrc } from "../../formats/crc32.ts";
import { packetBytes } from "../../formats/transport-packets.ts";

/** What the map of a stream says of its subtitles. */
export type Described = {
  /** ISO 639-2. */
  readonly language: string;
  readonly pageId: number;
  /** `subtitling_type` of ETSI EN 300 468. */
  readonly type: number;
};

const mapPid = 0x20;
const pid = 0x21;
const ticksPerMs = 90;

/** A unit does not tell a longer length. */
export const mostBytes = 65_000;

/** A transport stream of nothing but DVB subtitles, for a muxer that takes them into another one. */
export const createSubtitleStream = (described: Described) => {
  let counter = 0;
  const tables = (): Uint8Array[] => [tablePacket(0, programmes()), tablePacket(mapPid, mapOf(described))];
  return {
    head: tables,
    /** The packets of a display set that is shown at this time. */
    set: (segments: readonly number[], ms: number): Uint8Array[] => {
      const unit = unitOf(segments, Math.round(ms * ticksPerMs));
      const room = packetBytes - 4;
      return Array.from({ length: Math.ceil(unit.length / room) }, (_, index) => {
        counter = (counter + 1) & 15;
        return packetOf(unit.subarray(index * room, (index + 1) * room), index === 0, counter);
      });
    },
  };
};

/** What is too short for a packet is filled by its adaptation field. */
const packetOf = (data: Uint8Array, isFirst: boolean, counter: number): Uint8Array => {
  const packet = new Uint8Array(packetBytes).fill(0xff);
  const spare = packetBytes - 4 - data.length;
  packet.set([0x47, (isFirst ? 0x40 : 0) | (pid >> 8), pid & 0xff, (spare > 0 ? 0x30 : 0x10) | counter]);
  if (spare > 0) packet.set(spare > 1 ? [spare - 1, 0] : [0], 4);
  packet.set(data, packetBytes - data.length);
  return packet;
};

const unitOf = (segments: readonly number[], ticks: number): Uint8Array => {
  const stamp = [
    0x21 | (Math.floor(ticks / 2 ** 29) & 0x0e),
    Math.floor(ticks / 2 ** 22) & 0xff,
    (Math.floor(ticks / 2 ** 14) & 0xff) | 1,
    Math.floor(ticks / 2 ** 7) & 0xff,
    ((ticks % 128) << 1) | 1,
  ];
  const rest = [0x84, 0x80, stamp.length, ...stamp, 0x20, 0, ...segments, 0xff];
  return Uint8Array.from([0, 0, 1, 0xbd, rest.length >> 8, rest.length & 0xff, ...rest]);
};

const tablePacket = (of: number, section: Uint8Array): Uint8Array => {
  const packet = new Uint8Array(packetBytes).fill(0xff);
  packet.set([0x47, 0x40 | (of >> 8), of & 0xff, 0x10, 0]);
  packet.set(section, 5);
  return packet;
};

const sectionOf = (table: number, number: number, data: readonly number[]): Uint8Array => {
  const length = 5 + data.length + 4;
  const head = [table, 0xb0 | (length >> 8), length & 0xff, number >> 8, number & 0xff, 0xc1, 0, 0];
  return withCrc(Uint8Array.from([...head, ...data, 0, 0, 0, 0]));
};

const programmes = (): Uint8Array => sectionOf(0, 1, [0, 1, 0xe0 | (mapPid >> 8), mapPid & 0xff]);

const mapOf = ({ language, pageId, type }: Described): Uint8Array => {
  const letters = [...language.padEnd(3).slice(0, 3)].map((letter) => letter.charCodeAt(0) & 0x7f);
  const page = [pageId >> 8, pageId & 0xff];
  const descriptor = [0x59, 8, ...letters, type, ...page, ...page];
  return sectionOf(2, 1, [
    ...[0xff, 0xff, 0xf0, 0],
    ...[0x06, 0xe0 | (pid >> 8), pid & 0xff, 0xf0, descriptor.length, ...descriptor],
  ]);
};
