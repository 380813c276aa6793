import { AppError } from "../../shared/basics/errors.ts";
import type { AgentMessage } from "../../shared/protocol/messages.ts";
import type { FileRequest, FileResponse } from "../../shared/protocol/node-files.ts";
import type { NodeLink } from "../nodes/node-entry.ts";
import { createQuestionLines } from "./question-lines.ts";

type Response = Extract<AgentMessage, { type: "response" }>;
/** Those before it are not answered either. */
const noTurn = () => new AppError("UNAVAILABLE", "The node did not answer in time");

type Way = keyof typeof ways;
type Waiting = {
  readonly nodeId: number;
  readonly settle: (response: FileResponse) => void;
  readonly fail: (problem: unknown) => void;
};

/**
 * Reading is quick and encoding is slow, so each has its own limit. `patienceMs`: for an answer, and as long for the turn before
 * it. `most`: open questions per node; `waiting`: those that wait for their turn. Several downloads of one node's files take turns piece by piece.
 */
const ways = {
  files: { patienceMs: 20_000, most: 8, waiting: 64, isTakenBack: false },
  previews: { patienceMs: 75_000, most: 12, waiting: 0, isTakenBack: true },
} as const;

const wayOf = ({ do: what }: FileRequest): Way => (previewRequests.has(what) ? "previews" : "files");
const previewRequests: ReadonlySet<FileRequest["do"]> = new Set(["preview", "segment", "still"]);

export type NodeRequests = ReturnType<typeof createNodeRequests>;

/** Questions to nodes about their files, limited in number and time. */
export const createNodeRequests = ({ clock, epoch, send }: NodeLink) => {
  const waiting = new Map<number, Waiting>();
  const lines = createQuestionLines();
  let last = 0;

  const ask = (nodeId: number, request: FileRequest, signal?: AbortSignal): Promise<FileResponse> => {
    const { patienceMs, isTakenBack } = ways[wayOf(request)];
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
    waiting.set(id, { nodeId, settle: resolve, fail: reject });
    send(nodeId, { type: "request", epoch, id, request });
    return promise.finally(() => {
      cancel();
      signal?.removeEventListener("abort", leave);
      waiting.delete(id);
    });
  };

  return {
    /**
     * Throws AppError UNAVAILABLE if the node leaves, does not answer in time, or has too many questions. When the
     * signal aborts, the node gives up what takes long.
     */
    request: (nodeId: number, request: FileRequest, signal?: AbortSignal): Promise<FileResponse> => {
      const way = wayOf(request);
      if (signal?.aborted) return Promise.reject(signal.reason);
      const late = new AbortController();
      const stop = clock.after(ways[way].patienceMs, () => late.abort(noTurn()));
      const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
      return lines
        .inTurn({ nodeId, name: way, ...ways[way] }, either, () => {
          stop();
          return ask(nodeId, request, signal);
        })
        .finally(stop);
    },
    /** Drops an answer that nobody waits for any more, or that another node gave. */
    take: (nodeId: number, { id, response }: Response): void => {
      const found = waiting.get(id);
      if (found?.nodeId === nodeId) found.settle(response);
    },
    /** Whether a question was asked of another node, or of nobody yet. */
    isForeign: (nodeId: number, id: number): boolean => {
      const found = waiting.get(id);
      return found ? found.nodeId !== nodeId : id > last || id < 1;
    },
    /** The node's connection is gone: it answers nothing any more. */
    leave: (nodeId: number): void => {
      const gone = new AppError("UNAVAILABLE", "The node is no longer connected");
      lines.leave(nodeId, gone);
      for (const each of waiting.values()) if (each.nodeId === nodeId) each.fail(gone);
    },
  };
};
