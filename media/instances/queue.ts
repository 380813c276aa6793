import { assign, put, remove, type UndoLog } from "./undo-log.ts";

/** A queue whose changes can be undone. Entries that no longer wait are skipped by `pass`. */
export type Queue<T> = { first: number; next: number; readonly entries: Map<number, T> };

export const createQueue = <T>(): Queue<T> => ({ first: 0, next: 0, entries: new Map() });

export const enqueue = <T>(undo: UndoLog, queue: Queue<T>, entry: T): void => {
  put(undo, queue.entries, queue.next, entry);
  assign(undo, queue, "next", queue.next + 1);
};

export const head = <T>({ first, entries }: Queue<T>): T | undefined => entries.get(first);

/** Removes entries from the head that no longer wait. */
export const dequeueWhile = <T>(undo: UndoLog, queue: Queue<T>, isPast: (entry: T) => boolean): void => {
  for (let entry = head(queue); entry !== undefined && isPast(entry); entry = head(queue)) {
    remove(undo, queue.entries, queue.first);
    assign(undo, queue, "first", queue.first + 1);
  }
};
