import type { FileAsk, FileTold } from "../shared/node-files.ts";
import type { AgentMessage } from "../shared/protocol.ts";

export type Questions = ReturnType<typeof createQuestions>;

/** People's questions of one connection; what nobody waits for any more is given up. */
export const createQuestions = (
  files: (ask: FileAsk, signal: AbortSignal) => Promise<FileTold>,
  send: (answer: Extract<AgentMessage, { type: "told" }>) => void,
) => {
  const open = new Map<number, AbortController>();
  const drop = (request: number): void => open.get(request)?.abort();
  return {
    answer: async (request: number, ask: FileAsk): Promise<void> => {
      const abort = new AbortController();
      open.set(request, abort);
      const told = await files(ask, abort.signal).finally(() => open.delete(request));
      if (!abort.signal.aborted) send({ type: "told", request, told });
    },
    drop,
    dropAll: (): void => {
      for (const request of open.keys()) drop(request);
    },
  };
};
