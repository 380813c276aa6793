import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { FileAsk, FileTold } from "../../shared/node-files.ts";
import type { AgentMessage, CoordinatorMessage } from "../../shared/protocol.ts";

type Told = Extract<AgentMessage, { type: "told" }>;
type Waiting = { readonly nodeId: number; readonly settle: (told: FileTold) => void };

export type NodeAsksNeeds = {
  readonly clock: Clock;
  readonly epoch: number;
  readonly send: (nodeId: number, message: CoordinatorMessage) => void;
};

const patienceMs = 20_000;
/** Questions that one node has at once. */
const mostOfNode = 8;

export type NodeAsks = ReturnType<typeof createNodeAsks>;

/** People's questions about nodes' files, and the answers; limited in number and time. */
export const createNodeAsks = ({ clock, epoch, send }: NodeAsksNeeds) => {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const countOf = (nodeId: number): number =>
    [...waiting.values()].reduce((count, each) => count + (each.nodeId === nodeId ? 1 : 0), 0);

  return {
    /** Throws AppError UNAVAILABLE if the node does not answer in time, or has too many questions. */
    ask: (nodeId: number, ask: FileAsk): Promise<FileTold> => {
      if (countOf(nodeId) >= mostOfNode)
        throw new AppError("UNAVAILABLE", "The node is asked for many files at the moment: try again");
      const request = ++last;
      return new Promise((resolve, reject) => {
        const cancel = clock.after(patienceMs, () => {
          waiting.delete(request);
          reject(new AppError("UNAVAILABLE", "The node did not answer in time"));
        });
        const settle = (told: FileTold) => {
          cancel();
          waiting.delete(request);
          resolve(told);
        };
        waiting.set(request, { nodeId, settle });
        send(nodeId, { type: "ask", epoch, request, ask });
      });
    },
    /** Drops an answer that nobody waits for any more, or that another node gave. */
    take: (nodeId: number, { request, told }: Told): void => {
      const found = waiting.get(request);
      if (found?.nodeId === nodeId) found.settle(told);
    },
  };
};
