import type { OnReadOpts, Socket } from "node:net";
import type { Readable } from "node:stream";

/** Memory for one read. A parser copies the bytes of small answers anyway, so they get little. */
const [usual, large] = [64 * 1024, 256 * 1024];
/** Reading pauses while so many bytes wait. */
const mostWaiting = large;

export type Taken = {
  /** The next bytes, in order, valid until the next call; undefined at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Nothing more comes, perhaps because of an error. */
  end(error?: Error): void;
};

const takers = new WeakMap<Readable, () => Taken>();

/**
 * Makes a socket whose bytes can be taken with `takeBytes`. Sockets of Node put every read into new memory, and V8
 * collects the garbage of the whole process each time some tens of megabytes of it were used.
 */
export const withReadMemory = <S extends Socket>(make: (onread: OnReadOpts) => S): S => {
  const memory = createReadMemory();
  const socket = make({
    buffer: memory.free,
    callback: (size) => {
      if (!memory.isTaken()) return socket.push(Buffer.from(memory.free().subarray(0, size)));
      if (memory.add(size) >= mostWaiting) socket.pause();
      return true;
    },
  });
  takers.set(socket, () => memory.take(() => socket.resume()));
  return socket;
};

/** From now on, only the caller gets what this receives. Undefined unless it is a socket that was made with memory. */
export const takeBytes = (socket: Readable): Taken | undefined => takers.get(socket)?.();

const createReadMemory = () => {
  const memories = [Buffer.allocUnsafeSlow(usual)];
  let [current = Buffer.alloc(0)] = memories;
  let used = 0;
  let held: Uint8Array | undefined;
  const waiting: Uint8Array[] = [];
  let arrival: PromiseWithResolvers<void> | undefined;
  let failure: Error | undefined;
  let [isEnded, isTaken] = [false, false];

  const isFree = ({ buffer }: Uint8Array): boolean =>
    ![current, held, ...waiting].some((each) => each?.buffer === buffer);

  const change = (): void => {
    const next = memories.find((each) => each.length === large && isFree(each)) ?? Buffer.allocUnsafeSlow(large);
    if (!memories.includes(next)) memories.push(next);
    [current, used] = [next, 0];
  };

  const count = (): number => waiting.reduce((sum, { length }) => sum + length, 0);

  return {
    isTaken: () => isTaken,
    free: () => current.subarray(used),
    /** Bytes were put into the free memory; returns how many wait. */
    add: (size: number): number => {
      const last = waiting.at(-1);
      // Reads of TLS are small, and come several at a time.
      const follows = last?.buffer === current.buffer && last.byteOffset + last.length === used;
      if (follows) waiting[waiting.length - 1] = current.subarray(last.byteOffset, used + size);
      else waiting.push(current.subarray(used, used + size));
      used += size;
      if (current.length - used < usual) change();
      arrival?.resolve();
      return count();
    },
    take: (resume: () => void): Taken => {
      isTaken = true;
      return {
        next: async () => {
          held = undefined;
          if (waiting.length === 0 && !isEnded) {
            arrival = Promise.withResolvers();
            resume();
            await arrival.promise;
          }
          held = waiting.shift();
          if (!held && failure) throw failure;
          if (count() < mostWaiting) resume();
          return held;
        },
        end: (error) => {
          if (!isEnded) failure = error;
          isEnded = true;
          arrival?.resolve();
        },
      };
    },
  };
};
