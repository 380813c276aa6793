import type { CacheMiss, MissingRows } from "./cache-miss.ts";
import type { ChangeRequest, createRequestLines } from "./request-lines.ts";

/** Loads of rows that decisions lack. Until a load has ended, nobody decides about its rows. */
export const createPendingLoads = (
  load: (needs: MissingRows) => Promise<void>,
  lines: Pick<ReturnType<typeof createRequestLines>, "hold" | "leave">,
  onEnd: () => void,
) => {
  const pending = new Set<Promise<void>>();

  /** If something cannot be loaded, the caller is told. */
  const run = async (request: ChangeRequest, { needs, keys }: CacheMiss): Promise<void> => {
    const letGo = lines.hold(keys);
    try {
      await load(needs);
    } catch (problem) {
      lines.leave(request);
      request.reject(problem);
    }
    letGo();
    onEnd();
  };

  return {
    start: (request: ChangeRequest, miss: CacheMiss): void => {
      const running = run(request, miss).finally(() => pending.delete(running));
      pending.add(running);
    },
    all: (): Promise<void>[] => [...pending],
  };
};
