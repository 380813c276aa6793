import { setPriority } from "node:os";
import { isMainThread } from "node:worker_threads";

/** Below the loop's, and above that of the tools of a node on the same machine. */
const behindTheLoop = 5;

/**
 * This thread gives way to the coordinator's loop where they have too few processors for both: somebody waits for what it
 * does, but everybody for the loop. Only Linux has priorities for each thread; elsewhere this would be that of the program.
 */
export const giveWay = (): void => {
  if (isMainThread || process.platform !== "linux") return;
  try {
    setPriority(behindTheLoop);
  } catch {
    // Without it, the thread works as well.
  }
};
