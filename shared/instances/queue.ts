import { assign, type Journal, put, remove } from "./journal.ts";

/** What waits, in its order, also after a change was taken back. What no longer waits is passed over. */
export type Queue<T> = { first: number; next: number; readonly entries: Map<number, T> };

export const createQueue = <T>(): Queue<T> => ({ first: 0, next: 0, entries: new Map() });

export const enqueue = <T>(undo: Journal, queue: Queue<T>, entry: T): void => {
  put(undo, queue.entries, queue.next, entry);
  assign(undo, queue, "next", queue.next + 1);
};

export const head = <T>({ first, entries }: Queue<T>): T | undefined => entries.get(first);

/** Leaves the head behind as far as it no longer waits. */
export const pass = <T>(undo: Journal, queue: Queue<T>, isPast: (entry: T) => boolean): void => {
  for (let entry = head(queue); entry !== undefined && isPast(entry); entry = head(queue)) {
    remove(undo, queue.entries, queue.first);
    assign(undo, queue, "first", queue.first + 1);
  }
};
