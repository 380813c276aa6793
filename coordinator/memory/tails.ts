import type { Clock } from "../../shared/clock.ts";
import { createLogBuffer, type LogBuffer } from "../../shared/log-buffer.ts";
import { type AgentMessage, type CoordinatorMessage, type Fence, fenceKey } from "../../shared/protocol.ts";

type Chunk = Extract<AgentMessage, { type: "log" }>;
type Tail = {
  readonly buffer: LogBuffer;
  /** Something was heard: what is there is no mere beginning. */
  isHeard: boolean;
  /** On the monotonic clock: when the node has to be asked again. */
  renewAt: number;
  readonly waiting: Set<() => void>;
};

export type TailsNeeds = {
  readonly clock: Clock;
  readonly epoch: number;
  readonly send: (nodeId: number, message: CoordinatorMessage) => void;
};

/** Who looks keeps the node talking for so long … */
const leaseMs = 15_000;
/** … and it is asked anew after this. */
const renewMs = 5000;
/** How long a look waits for a node that has said nothing yet. */
const patienceMs = 1500;
/** Logs that are kept at once; those looked at least lately are forgotten. */
const keptTails = 100;

export type Tails = ReturnType<typeof createTails>;

/** Logs of running attempts, in memory, of those alone that somebody looks at. */
export const createTails = ({ clock, epoch, send }: TailsNeeds) => {
  /** In the order in which they were looked at. */
  const tails = new Map<string, Tail>();

  const find = (key: string): Tail => {
    const tail = tails.get(key) ?? { buffer: createLogBuffer(), isHeard: false, renewAt: 0, waiting: new Set() };
    tails.delete(key);
    tails.set(key, tail);
    const [oldest] = tails.keys();
    if (tails.size > keptTails && oldest !== undefined) tails.delete(oldest);
    return tail;
  };
  const heard = (tail: Tail): Promise<void> =>
    new Promise((resolve) => {
      const done = () => {
        cancel();
        tail.waiting.delete(done);
        resolve();
      };
      const cancel = clock.after(patienceMs, done);
      tail.waiting.add(done);
    });

  return {
    /** What the attempt has said so far. */
    look: async (nodeId: number, fence: Fence): Promise<string> => {
      const tail = find(fenceKey(fence));
      const now = clock.monotonic();
      if (now >= tail.renewAt) {
        tail.renewAt = now + renewMs;
        send(nodeId, { type: "tail", epoch, fence, from: tail.buffer.written(), forMs: leaseMs });
      }
      if (!tail.isHeard) await heard(tail);
      return tail.buffer.text();
    },
    take: (nodeId: number, { fence, from, left, text }: Chunk): void => {
      const tail = tails.get(fenceKey(fence));
      if (!tail) return;
      const expected = tail.buffer.written();
      if (from < expected) return; // said before, on another line
      if (from - left !== expected) {
        // Something was lost with a line that was cut: it is asked for again.
        send(nodeId, { type: "tail", epoch, fence, from: expected, forMs: leaseMs });
        return;
      }
      if (left > 0) tail.buffer.leaveOut(left);
      tail.buffer.append(text);
      tail.isHeard = true;
      for (const done of tail.waiting) done();
    },
    forget: (fence: Fence): void => {
      const tail = tails.get(fenceKey(fence));
      tails.delete(fenceKey(fence));
      for (const done of tail?.waiting ?? []) done();
    },
  };
};
