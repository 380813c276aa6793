import { AppError } from "../../shared/errors.ts";
import type { FileAsk, FileTold } from "../../shared/node-files.ts";
import type { AgentMessage } from "../../shared/protocol.ts";
import type { NodeLink } from "./node-entry.ts";

type Told = Extract<AgentMessage, { type: "told" }>;
type Way = keyof typeof ways;
type Waiting = {
  readonly nodeId: number;
  readonly way: Way;
  readonly settle: (told: FileTold) => void;
  readonly fail: (problem: unknown) => void;
};

/** Reading is quick and encoding is slow, so each has its own limit. `most`: open questions per node. */
const ways = {
  files: { patienceMs: 20_000, most: 8, isTakenBack: false },
  previews: { patienceMs: 75_000, most: 12, isTakenBack: true },
} as const;

const wayOf = (ask: FileAsk): Way => (previewAsks.has(ask.do) ? "previews" : "files");
const previewAsks: ReadonlySet<FileAsk["do"]> = new Set(["preview", "segment", "still"]);

export type NodeAsks = ReturnType<typeof createNodeAsks>;

/** Questions to nodes about their files, limited in number and time. */
export const createNodeAsks = ({ clock, epoch, send }: NodeLink) => {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const countOf = (nodeId: number, way: Way): number =>
    [...waiting.values()].filter((each) => each.nodeId === nodeId && each.way === way).length;

  return {
    /**
     * Throws AppError UNAVAILABLE if the node leaves, does not answer in time, or has too many questions. When the
     * signal aborts, the node gives up what takes long.
     */
    ask: (nodeId: number, ask: FileAsk, signal?: AbortSignal): Promise<FileTold> => {
      const way = wayOf(ask);
      const { patienceMs, most, isTakenBack } = ways[way];
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (countOf(nodeId, way) >= most)
        return Promise.reject(new AppError("UNAVAILABLE", "The node is asked for many files at the moment: try again"));
      const request = ++last;
      const { promise, resolve, reject } = Promise.withResolvers<FileTold>();
      const giveUp = (problem: unknown): void => {
        if (isTakenBack) send(nodeId, { type: "unask", epoch, request });
        reject(problem);
      };
      const leave = () => giveUp(signal?.reason);
      const cancel = clock.after(patienceMs, () =>
        giveUp(new AppError("UNAVAILABLE", "The node did not answer in time")),
      );
      signal?.addEventListener("abort", leave, { once: true });
      waiting.set(request, { nodeId, way, settle: resolve, fail: reject });
      send(nodeId, { type: "ask", epoch, request, ask });
      return promise.finally(() => {
        cancel();
        signal?.removeEventListener("abort", leave);
        waiting.delete(request);
      });
    },
    /** Drops an answer that nobody waits for any more, or that another node gave. */
    take: (nodeId: number, { request, told }: Told): void => {
      const found = waiting.get(request);
      if (found?.nodeId === nodeId) found.settle(told);
    },
    /** The node's connection is gone: it answers nothing any more. */
    leave: (nodeId: number): void => {
      for (const each of waiting.values())
        if (each.nodeId === nodeId) each.fail(new AppError("UNAVAILABLE", "The node is no longer connected"));
    },
  };
};
