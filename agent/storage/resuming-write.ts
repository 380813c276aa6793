import { type Clock, sleep } from "../../shared/basics/clock.ts";
import { type Patience, waitAfter } from "./retry.ts";
import { failureAt } from "./storage-error.ts";

export type ResumingWrite = {
  readonly uri: string;
  /** Sends the file's bytes from an offset on; from 0 it replaces what is there. */
  readonly write: (from: number) => Promise<void>;
  /** How many of the file's bytes lie there; absent if the storage cannot go on behind them. */
  readonly arrived?: () => Promise<number>;
  readonly clock: Clock;
  readonly patience: Patience;
  readonly signal: AbortSignal;
  /** Called at every break that is repaired. */
  readonly onBreak: (words: string) => void;
};

/** A server that takes nothing more so many times in a row has another trouble than its connection. */
const mostIdle = 2;

/** Sends a file. After a broken connection it goes on behind the bytes that arrived, or, if it cannot, starts over. */
export const writeResuming = async (options: ResumingWrite): Promise<void> => {
  const { uri, write, clock, patience, signal, onBreak } = options;
  const goOn = createPosition(options);
  let from: number | undefined = 0;
  let said = "";
  for (let tries = 0; ; tries += 1) {
    try {
      if (from === undefined) {
        from = await goOn(() => (tries = 0));
        const words = `${uri}: the transfer broke off and ${from > 0 ? `goes on after ${from} bytes` : "starts over"}`;
        if (words !== said) onBreak(words);
        said = words;
      }
      return await write(from);
    } catch (error) {
      signal.throwIfAborted();
      const wait = waitAfter(error, patience, tries);
      if (wait === undefined) throw error;
      from = undefined; // only the server knows what arrived
      await sleep(clock, wait, signal);
      signal.throwIfAborted();
    }
  }
};

const createPosition = ({ uri, arrived }: ResumingWrite) => {
  let [best, idle] = [0, 0];
  return async (onProgress: () => void): Promise<number> => {
    if (!arrived) return 0;
    const now = await arrived();
    if (now > best) {
      [best, idle] = [now, 0];
      onProgress();
      return now;
    }
    idle += 1;
    if (idle >= mostIdle) throw failureAt(uri, "stuck", `${now} bytes`);
    return now;
  };
};
