import { useSyncExternalStore } from "react";
import { desktopApp } from "./computer.ts";

/** A file that was dropped on the window. Browsers do not reveal its path; the desktop app does. */
export type Dropped = { readonly name: string; readonly size: number; readonly path: string | undefined };

/** For more files at once, use a folder. */
const mostFiles = 50;

let dropped: readonly Dropped[] = [];
const listeners = new Set<() => void>();
const put = (next: readonly Dropped[]): void => {
  dropped = next;
  for (const listener of listeners) listener();
};

export const droppedFiles = {
  drop: (files: readonly File[]): void =>
    put(
      files.slice(0, mostFiles).map((file) => ({
        ...{ name: file.name, size: file.size },
        path: desktopApp()?.pathOf(file) || undefined,
      })),
    ),
  /** It was used or dismissed. */
  done: (file: Dropped): void => put(dropped.filter((each) => each !== file)),
};

export const useDropped = (): readonly Dropped[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => dropped,
  );
