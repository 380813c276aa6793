import { createHook } from "node:async_hooks";

/** One piece of work that nothing could interrupt: a callback of the event loop with all that followed from it at once. */
export type Turn = {
  /** Microseconds of the machine's monotonic clock. */
  readonly begun: number;
  readonly ended: number;
  /** Microseconds of processor time that this thread used: what other programs took away meanwhile does not count. */
  readonly used: number;
};

/** What Node begins a turn of the loop with. Ticks and microtasks belong to the turn that caused them. */
const beginnings: ReadonlySet<string> = new Set([
  ...["TCPWRAP", "TCPSERVERWRAP", "TCPCONNECTWRAP", "PIPEWRAP", "PIPESERVERWRAP", "TLSWRAP", "HTTPINCOMINGMESSAGE"],
  ...["HTTPCLIENTREQUEST", "Timeout", "Immediate", "FSREQCALLBACK", "FILEHANDLE", "GETADDRINFOREQWRAP", "PROCESSWRAP"],
  ...["WORKER", "MESSAGEPORT", "ZLIB", "SCRYPTREQUEST", "PBKDF2REQUEST", "RANDOMBYTESREQUEST", "SHUTDOWNWRAP"],
  ...["WRITEWRAP", "FSEVENTWRAP", "STATWATCHER", "KEYPAIRGENREQUEST", "SIGNREQUEST", "HASHREQUEST"],
]);

export const machineMicros = (): number => Number(process.hrtime.bigint() / 1000n);
const usedMicros = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

/** Tells every turn of this thread's loop that used more than `longest` microseconds. Returns how to look at once. */
export const watchTurns = (
  longest: number,
  tell: (turn: Turn) => void,
  heard: (type: string) => void,
): (() => void) => {
  const known = new Set<number>();
  let depth = 0;
  let [begun, used] = [machineMicros(), usedMicros()];
  const look = (): void => {
    const now = usedMicros();
    if (now - used > longest) {
      tell({ begun, ended: machineMicros(), used: now - used });
      used = usedMicros(); // telling takes time as well
    } else used = now;
    begun = machineMicros();
  };
  createHook({
    trackPromises: false,
    init: (id, type) => {
      if (!beginnings.has(type)) return;
      known.add(id);
      heard(type);
    },
    before: (id) => {
      if (!known.has(id)) return;
      if (depth === 0) look();
      depth += 1;
    },
    after: (id) => {
      if (known.has(id)) depth = Math.max(0, depth - 1);
    },
    destroy: (id) => void known.delete(id),
  }).enable();
  return look;
};
