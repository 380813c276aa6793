import { AppError } from "../../shared/basics/errors.ts";
import type { AgentMessage } from "../../shared/protocol/messages.ts";
import type { FileRequest, FileResponse } from "../../shared/protocol/node-files.ts";
import type { NodeLink } from "../nodes/node-entry.ts";

type Response = Extract<AgentMessage, { type: "response" }>;
type Way = keyof typeof ways;
type Waiting = {
  readonly nodeId: number;
  readonly way: Way;
  readonly settle: (response: FileResponse) => void;
  readonly fail: (problem: unknown) => void;
};

/** Reading is quick and encoding is slow, so each has its own limit. `most`: open questions per node. */
const ways = {
  files: { patienceMs: 20_000, most: 8, isTakenBack: false },
  previews: { patienceMs: 75_000, most: 12, isTakenBack: true },
} as const;

const wayOf = ({ do: what }: FileRequest): Way => (previewRequests.has(what) ? "previews" : "files");
const previewRequests: ReadonlySet<FileRequest["do"]> = new Set(["preview", "segment", "still"]);

export type NodeRequests = ReturnType<typeof createNodeRequests>;

/** Questions to nodes about their files, limited in number and time. */
export const createNodeRequests = ({ clock, epoch, send }: NodeLink) => {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const countOf = (nodeId: number, way: Way): number =>
    [...waiting.values()].filter((each) => each.nodeId === nodeId && each.way === way).length;

  return {
    /**
     * Throws AppError UNAVAILABLE if the node leaves, does not answer in time, or has too many questions. When the
     * signal aborts, the node gives up what takes long.
     */
    request: (nodeId: number, request: FileRequest, signal?: AbortSignal): Promise<FileResponse> => {
      const way = wayOf(request);
      const { patienceMs, most, isTakenBack } = ways[way];
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (countOf(nodeId, way) >= most)
        return Promise.reject(new AppError("UNAVAILABLE", "The node is asked for many files at the moment: try again"));
      const id = ++last;
      const { promise, resolve, reject } = Promise.withResolvers<FileResponse>();
      const giveUp = (problem: unknown): void => {
        if (isTakenBack) send(nodeId, { type: "cancel_request", epoch, id });
        reject(problem);
      };
      const leave = () => giveUp(signal?.reason);
      const cancel = clock.after(patienceMs, () =>
        giveUp(new AppError("UNAVAILABLE", "The node did not answer in time")),
      );
      signal?.addEventListener("abort", leave, { once: true });
      waiting.set(id, { nodeId, way, settle: resolve, fail: reject });
      send(nodeId, { type: "request", epoch, id, request });
      return promise.finally(() => {
        cancel();
        signal?.removeEventListener("abort", leave);
        waiting.delete(id);
      });
    },
    /** Drops an answer that nobody waits for any more, or that another node gave. */
    take: (nodeId: number, { id, response }: Response): void => {
      const found = waiting.get(id);
      if (found?.nodeId === nodeId) found.settle(response);
    },
    /** The node's connection is gone: it answers nothing any more. */
    leave: (nodeId: number): void => {
      for (const each of waiting.values())
        if (each.nodeId === nodeId) each.fail(new AppError("UNAVAILABLE", "The node is no longer connected"));
    },
  };
};
