import { createLogBuffer, type LogBuffer } from "../../shared/basics/log-buffer.ts";
import { type AgentMessage, type Fence, fenceKey } from "../../shared/protocol/messages.ts";
import type { NodeLink } from "../nodes/node-entry.ts";

type Chunk = Extract<AgentMessage, { type: "log" }>;
type LiveLog = {
  readonly buffer: LogBuffer;
  /** The node has answered, so the buffer holds its log. */
  isHeard: boolean;
  /** On the monotonic clock: when to ask the node again. */
  renewAt: number;
  readonly waiting: Set<() => void>;
};

/** How long a node sends its log after one request, in milliseconds. */
const leaseMs = 15_000;
/** How often the request is renewed while somebody views the log, in milliseconds. */
const renewMs = 5000;
/** How long a viewer waits for a node that has sent nothing yet. */
const patienceMs = 1500;
/** Number of logs kept; the least recently viewed are dropped. */
const keptTails = 100;

export type LiveLogs = ReturnType<typeof createLiveLogs>;

/** Logs of running attempts, in memory, only while somebody views them. */
export const createLiveLogs = ({ clock, epoch, send }: NodeLink) => {
  /** In the order of viewing. */
  const tails = new Map<string, LiveLog>();

  const find = (key: string): LiveLog => {
    const tail = tails.get(key) ?? { buffer: createLogBuffer(), isHeard: false, renewAt: 0, waiting: new Set() };
    tails.delete(key);
    tails.set(key, tail);
    const [oldest] = tails.keys();
    if (tails.size > keptTails && oldest !== undefined) tails.delete(oldest);
    return tail;
  };
  const heard = (tail: LiveLog): Promise<void> =>
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
    /** The attempt's log so far. */
    look: async (nodeId: number, fence: Fence): Promise<string> => {
      const tail = find(fenceKey(fence));
      const now = clock.monotonic();
      if (now >= tail.renewAt) {
        tail.renewAt = now + renewMs;
        send(nodeId, { type: "watch_log", epoch, fence, from: tail.buffer.written(), forMs: leaseMs });
      }
      if (!tail.isHeard) await heard(tail);
      return tail.buffer.text();
    },
    /** What was heard of it, without a question to its node. */
    known: (fence: Fence): string => tails.get(fenceKey(fence))?.buffer.text() ?? "",
    take: (nodeId: number, { fence, from, left, text }: Chunk): void => {
      const tail = tails.get(fenceKey(fence));
      if (!tail) return;
      const expected = tail.buffer.written();
      if (from < expected) return; // already sent on another connection
      if (from - left !== expected) {
        // A cut connection lost something: ask for it again.
        send(nodeId, { type: "watch_log", epoch, fence, from: expected, forMs: leaseMs });
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
