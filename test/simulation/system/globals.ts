import { here, isSimulated } from "../engine/life.ts";
import { system } from "./machine.ts";
import { killSimulated } from "./programs.ts";

/** What a turn of a program's loop takes: whoever waits for something turn by turn must not stop the time. */
const turnMs = 0.02;

/** Makes what every program reaches without importing it follow the simulation, for whoever is simulated. */
export const replaceGlobals = (): void => {
  const { setImmediate: realTurn } = globalThis;
  const realKill = process.kill.bind(process);
  const turn = (act: (...args: unknown[]) => void, ...args: unknown[]): unknown =>
    isSimulated() ? here().after(turnMs, () => act(...args)) : realTurn(act, ...args);
  globalThis.setImmediate = turn as typeof setImmediate; // nobody simulated asks for what it returns
  process.kill = (pid, signal = "SIGTERM") =>
    isSimulated() ? killSimulated(pid, String(signal)) : realKill(pid, signal);
  Object.defineProperty(process, "pid", { value: 4242 });
  process.env.TZ = "UTC";
};

let heard = new Set<string>();

/** All secrets that are made from now on: the product makes each of 256 random bits, and writes it in this way. */
export const hearSecrets = (): Set<string> => {
  heard = new Set();
  return heard;
};

const secretBytes = 32;

/** What the product uses of `node:crypto` that is random. */
export const crypto = {
  randomBytes: (length: number): Buffer => {
    const bytes = system().random.bytes(length);
    if (length === secretBytes) heard.add(bytes.toString("base64url"));
    return bytes;
  },
};

export const os = {
  availableParallelism: () => 4,
  cpus: () => [{ model: "simulated", times: { user: 0, nice: 0, sys: 0, idle: 1, irq: 0 } }],
  freemem: () => 4e9,
  totalmem: () => 8e9,
  hostname: () => here().owner.name,
  homedir: () => "/home",
  release: () => "1",
  type: () => "Linux",
  networkInterfaces: () => ({}),
  setPriority: () => undefined,
};

/** In the place of memory that is aligned to pages, and of writes past the cache: a disk here has no cache to spare. */
export const directFile = {
  directSize: 4 * 1024 * 1024,
  pieces: { lend: (): Uint8Array => Buffer.alloc(16 * 1024), giveBack: (): void => undefined },
  openDirect: async (): Promise<undefined> => undefined,
  writeDirect: async (): Promise<number> => 0,
};
