import { joined } from "../formats/joined-bytes.ts";
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

/** What stands before each packet of a `.m2ts` file: when it arrives, in 30 bits of 27 MHz. */
const arrivalBytes = 4;

/**
 * Puts clock references and tables between the packets of a stream of variable rate (ISO/IEC 13818-1, 2.4.2.2). Between two
 * references bytes arrive at one rate, so another one between them changes no packet's time. ffmpeg writes references with
 * pictures only, however far apart they are, and tables beside them. Packets of `.m2ts` files (`isTimed`) get the times at
 * which they arrive: ffmpeg knows none where the rate varies.
 */
export const createPacer = ({ clock: clockMs, tables: tablesMs }: Pace, isTimed = false) => {
  const [clockTicks, tableTicks] = [clockMs * ticksPerMs, tablesMs * ticksPerMs];
  const header = isTimed ? arrivalBytes : 0;
  const writer = createWriter(isTimed);
  const leading: Uint8Array[] = [];
  let perPacket = 0;
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
    const { clock } = waiting;
    perPacket = ticksPerPacket(waiting, next) ?? perPacket;
    let written = 0;
    for (const { own, now, until } of partsOf(waiting, next, clockTicks)) {
      writer.arrive(now);
      keepTables(own, now, until);
      if (now > clock) writer.writeReference(Math.round(now));
      for (const packet of own) {
        writer.arrive(clock + written * perPacket);
        writer.write(packet);
        written += 1;
      }
    }
    waiting = undefined;
  };

  const see = (packet: Uint8Array): void => {
    const clock = writer.referenceIn(packet);
    if (clock !== undefined || (waiting && waiting.packets.length >= mostWaiting)) release(clock);
    if (clock !== undefined) {
      writer.arrive(clock);
      for (const each of leading.splice(0)) writer.write(each);
      waiting = { packets: [packet], clock };
    } else if (waiting) waiting.packets.push(packet);
    else if (isTimed && leading.length < mostWaiting) leading.push(packet);
    else writer.write(packet);
  };

  /** Writes all that waits, until the next reference where there is one; what follows may be another file. */
  const pause = (next?: number): Uint8Array => {
    release(next);
    for (const packet of leading.splice(0)) writer.write(packet);
    return writer.taken();
  };

  return {
    /** Whole packets; gives those that are complete with what stands between them. */
    through: (block: Uint8Array): Uint8Array => {
      for (let at = header; at + packetBytes <= block.length; at += header + packetBytes) {
        if (block[at] !== 0x47) throw new Error(`no packet begins at byte ${at}`);
        // A copy: the next block may take this one's place, and a Buffer's `slice` shares its bytes.
        see(Uint8Array.from(block.subarray(at, at + packetBytes)));
      }
      return writer.taken();
    },
    pause,
    end: (): Uint8Array => pause(),
  };
};

/** The first clock reference in a piece of a stream that begins with its tables. */
export const firstClockIn = (block: Uint8Array): number | undefined => {
  const reader = createWriter(false);
  for (let at = 0; at + packetBytes <= block.length; at += packetBytes) {
    const clock = reader.referenceIn(block.subarray(at, at + packetBytes));
    if (clock !== undefined) return clock;
  }
  return undefined;
};

const gapOf = ({ clock }: Waiting, next: number | undefined): number => {
  const gap = (next ?? clock) - clock;
  return gap < longestGap ? gap : 0;
};

/** Undefined where nobody knows when the next reference comes. */
const ticksPerPacket = (waiting: Waiting, next: number | undefined): number | undefined => {
  const gap = gapOf(waiting, next);
  return gap > 0 ? gap / waiting.packets.length : undefined;
};

type Part = { readonly own: readonly Uint8Array[]; readonly now: number; readonly until: number };

/** What waited, in parts that are no longer than references may be apart. */
const partsOf = (waiting: Waiting, next: number | undefined, most: number): Part[] => {
  const { packets, clock } = waiting;
  const gap = gapOf(waiting, next);
  const count = gap > most ? Math.ceil(gap / most) : 1;
  return Array.from({ length: count }, (_, part) => ({
    own: portion(packets, part, count),
    now: clock + (gap * part) / count,
    until: clock + (gap * (part + 1)) / count,
  }));
};

/** The first packet, which has the reference, is in the first part. */
const portion = <T>(all: readonly T[], part: number, parts: number): readonly T[] =>
  all.slice(Math.ceil((all.length * part) / parts), Math.ceil((all.length * (part + 1)) / parts));

/** Writes packets, knows the tables among them, and writes these again. */
const createWriter = (isTimed: boolean) => {
  const [tables, counters] = [new Map<number, Uint8Array>(), new Map<number, number>()];
  let [mapPid, clockPid, counter]: [number?, number?, number?] = [];
  let out: Uint8Array[] = [];
  let arrival = 0;

  const put = (packet: Uint8Array): void => {
    if (isTimed) out.push(arrivalOf(arrival));
    out.push(packet);
  };

  /** Tables that are written again move the counters of those behind them. */
  const write = (packet: Uint8Array): void => {
    const [pid, own] = [pidOf(packet), (packet[3] ?? 0) & 15];
    if (pid === clockPid) counter = own;
    if (pid === 0 || pid === mapPid) {
      const next = ((counters.get(pid) ?? own - 1) + 1) & 15;
      counters.set(pid, next);
      packet[3] = ((packet[3] ?? 0) & 0xf0) | next;
    }
    put(packet);
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
    /** When the packets behind this arrive. */
    arrive: (ticks: number) => {
      arrival = ticks;
    },
    writeTables: () => {
      for (const table of tables.values()) write(table.slice());
    },
    writeReference: (clock: number) => {
      if (clockPid !== undefined) put(referenceOf(clockPid, counter ?? 0, clock));
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

const arrivalOf = (ticks: number): Uint8Array => {
  const made = new Uint8Array(arrivalBytes);
  new DataView(made.buffer).setUint32(0, Math.round(ticks) % 2 ** 30);
  return made;
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
