import type { AgentMessage } from "../../shared/protocol/messages.ts";
import type { FileRequest, FileResponse } from "../../shared/protocol/node-files.ts";

export type Requests = ReturnType<typeof createRequests>;

/** People's questions of one connection; what nobody waits for any more is given up. */
export const createRequests = (
  files: (request: FileRequest, signal: AbortSignal) => Promise<FileResponse>,
  send: (answer: Extract<AgentMessage, { type: "response" }>) => void,
) => {
  const open = new Map<number, AbortController>();
  const cancel = (id: number): void => open.get(id)?.abort();
  return {
    answer: async (id: number, request: FileRequest): Promise<void> => {
      const abort = new AbortController();
      open.set(id, abort);
      const response = await files(request, abort.signal).finally(() => open.delete(id));
      if (!abort.signal.aborted) send({ type: "response", id, response });
    },
    cancel,
    cancelAll: (): void => {
      for (const id of open.keys()) cancel(id);
    },
  };
};
