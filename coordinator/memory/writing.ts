import type { StoreRefusal } from "../store/batch.ts";
import type { Decided } from "./decider.ts";
import type { Pending } from "./pending.ts";

type WritingNeeds = {
  readonly pending: Pending;
  readonly write: (some: readonly Decided[]) => Promise<StoreRefusal | undefined>;
  readonly release: (each: Decided) => void;
  readonly recover: (all: readonly Decided[], problem: StoreRefusal) => Promise<void>;
  /** Whether `onWritten` has something to do even if nothing waits to be written. */
  readonly isWanted: () => boolean;
  /** Decisions waited for room, and there is some now. */
  readonly onRoom: () => void;
  /** Nothing waits to be written. */
  readonly onWritten: () => void;
};

/** Writes pending decisions batch by batch, one batch at a time, and recovers from refused ones. */
export const createWriting = (needs: WritingNeeds) => {
  const { pending, write, release, recover, isWanted, onRoom, onWritten } = needs;
  let writing: Promise<void> | undefined;
  let recovering: Promise<void> | undefined;

  const start = (): void => {
    if (writing || (pending.count() === 0 && !isWanted())) return;
    writing = writeAll().finally(() => {
      writing = undefined;
      start();
    });
  };

  const writeAll = async (): Promise<void> => {
    while (pending.count() > 0) {
      await writeBatch();
      if (pending.forgetTaken()) onRoom();
    }
    onWritten();
  };

  const writeBatch = async (): Promise<void> => {
    const some = pending.take();
    const problem = await write(some);
    if (!problem) {
      for (const each of some) release(each);
      return;
    }
    recovering = recover([...some, ...pending.take()], problem);
    await recovering;
    recovering = undefined;
  };

  return {
    start,
    /** Undefined while nothing is written. */
    current: (): Promise<void> | undefined => writing,
    /** Undefined while nothing is undone. Decisions wait for it. */
    recovery: (): Promise<void> | undefined => recovering,
  };
};
