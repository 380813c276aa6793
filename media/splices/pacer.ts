import { packetBytes, pidOf } from "../formats/transport-packets.ts";
import { parseMapPid, readMap, sectionIn } from "./packets.ts";

/** How far apart clock references and tables may be, in milliseconds. */
export type Pace = { readonly clock: number; readonly tables: number };

const ticksPerMs = 27_000;
/** A clock that goes on further than this has jumped: nothing lies between. */
const longestGap = 10_000 * ticksPerMs;
/** Packets that wait for the next clock reference; of more, the gap stays as it is. */
const mostWaiting = 50_000;

/** Packets from one clock reference to the next. */
type Waiting = { readonly packets: Uint8Array[]; readonly clock: number };

/**
 * Puts clock references and tables between the packets of a stream of variable rate (ISO/IEC 13818-1, 2.4.2.2). Between two
 * references bytes arrive at one rate, so another one between them changes no packet's time. ffmpeg writes references with
 * pictures only, however far apart they are, and tables beside them.
 */
export const createPacer = ({ clock: clockMs, tables: tablesMs }: Pace) => {
  const [clockTicks, tableTicks] = [clockMs * ticksPerMs, tablesMs * ticksPerMs];
  const writer = createWriter();
  let lastTables = Number.NEGATIVE_INFINITY;
  let waiting: Waiting | undefined;

  /** Those that are there may stand at the end of these packets, which would be too late. */
  const keepTables = (packets: readonly Uint8Array[], now: number, until: number): void => {
    const hasTables = packets.some((packet) => pidOf(packet) === 0);
    const isLate = until - lastTables > tableTicks;
    if (isLate) writer.writeTables();
    if (isLate || hasTables) lastTables = now;
  };

  /** Writes what waited, with references at even distances up to the next one. */
  const release = (next: number | undefined): void => {
    if (!waiting) return;
    const { packets, clock } = waiting;
    const gap = (next ?? clock) - clock;
    const parts = gap > clockTicks && gap < longestGap ? Math.ceil(gap / clockTicks) : 1;
    for (let part = 0; part < parts; part += 1) {
      const own = portion(packets, part, parts);
      const [now, until] = [clock + (gap * part) / parts, clock + (gap * (part + 1)) / parts];
      keepTables(own, now, until);
      if (part > 0) writer.writeReference(Math.round(now));
      for (const packet of own) writer.write(packet);
    }
    waiting = undefined;
  };

  const see = (packet: Uint8Array): void => {
    const clock = writer.referenceIn(packet);
    if (clock !== undefined || (waiting && waiting.packets.length >= mostWaiting)) release(clock);
    if (clock !== undefined) waiting = { packets: [packet], clock };
    else if (waiting) waiting.packets.push(packet);
    else writer.write(packet);
  };

  return {
    /** Whole packets; gives those that are complete with what stands between them. */
    through: (block: Uint8Array): Uint8Array => {
      for (let at = 0; at + packetBytes <= block.length; at += packetBytes) {
        if (block[at] !== 0x47) throw new Error(`no packet begins at byte ${at}`);
        // A copy: the next block may take this one's place, and a Buffer's `slice` shares its bytes.
        see(Uint8Array.from(block.subarray(at, at + packetBytes)));
      }
      return writer.taken();
    },
    end: (): Uint8Array => {
      release(undefined);
      return writer.taken();
    },
  };
};

/** The first packet, which has the reference, is in the first part. */
const portion = <T>(all: readonly T[], part: number, parts: number): readonly T[] =>
  all.slice(Math.ceil((all.length * part) / parts), Math.ceil((all.length * (part + 1)) / parts));

/** Writes packets, knows the tables among them, and writes these again. */
const createWriter = () => {
  const [tables, counters] = [new Map<number, Uint8Array>(), new Map<number, number>()];
  let [mapPid, clockPid, counter]: [number?, number?, number?] = [];
  let out: Uint8Array[] = [];

  /** Tables that are written again move the counters of those behind them. */
  const write = (packet: Uint8Array): void => {
    const [pid, own] = [pidOf(packet), (packet[3] ?? 0) & 15];
    if (pid === clockPid) counter = own;
    if (pid === 0 || pid === mapPid) {
      const next = ((counters.get(pid) ?? own - 1) + 1) & 15;
      counters.set(pid, next);
      packet[3] = ((packet[3] ?? 0) & 0xf0) | next;
    }
    out.push(packet);
  };

  const note = (packet: Uint8Array): void => {
    const pid = pidOf(packet);
    const section = pid === 0 || pid === mapPid ? sectionIn(packet) : undefined;
    if (!section) return;
    tables.set(pid, packet.slice());
    if (pid === 0) mapPid = parseMapPid(section);
    else clockPid = readMap(section).clockPid;
  };

  return {
    write,
    writeTables: () => {
      for (const table of tables.values()) write(table.slice());
    },
    writeReference: (clock: number) => {
      if (clockPid !== undefined) out.push(referenceOf(clockPid, counter ?? 0, clock));
    },
    /** The clock reference of a packet of the stream that carries them. */
    referenceIn: (packet: Uint8Array): number | undefined => {
      note(packet);
      return pidOf(packet) === clockPid ? clockOf(packet) : undefined;
    },
    taken: (): Uint8Array => {
      const all = joined(out);
      out = [];
      return all;
    },
  };
};

const joined = (packets: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(packets.length * packetBytes);
  for (const [at, packet] of packets.entries()) all.set(packet, at * packetBytes);
  return all;
};

/** The clock reference of a packet, in ticks of 27 MHz. */
const clockOf = (packet: Uint8Array): number | undefined => {
  const hasField = ((packet[3] ?? 0) & 0x20) !== 0 && (packet[4] ?? 0) >= 7;
  if (!hasField || ((packet[5] ?? 0) & 0x10) === 0) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = packet.subarray(6, 12);
  const base = ((a * 256 + b) * 256 + c) * 256 + d;
  return (base * 2 + (e >> 7)) * 300 + (e & 1) * 256 + f;
};

/** A packet without payload, whose counter is that of the one before it. */
const referenceOf = (pid: number, counter: number, clock: number): Uint8Array => {
  const packet = new Uint8Array(packetBytes).fill(0xff);
  const [base, rest] = [Math.floor(clock / 300), clock % 300];
  const [high, low] = [Math.floor(base / 2), base & 1];
  packet.set([0x47, pid >> 8, pid & 0xff, 0x20 | counter, packetBytes - 5, 0x10]);
  packet.set([high >>> 24, (high >>> 16) & 255, (high >>> 8) & 255, high & 255], 6);
  packet.set([(low << 7) | 0x7e | (rest >> 8), rest & 255], 10);
  return packet;
};
