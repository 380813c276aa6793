import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from "react";

export type KeyAction = {
  /** One key, or two pressed one after the other: "j", "g n". */
  readonly keys: string;
  readonly word: string;
  /** It only goes to a page. */
  readonly isPlace?: boolean;
  readonly run: () => void;
};

type Book = { readonly actions: () => KeyAction[]; readonly add: (list: () => readonly KeyAction[]) => () => void };

const BookContext = createContext<Book | null>(null);
const sequenceMs = 900;

/** Keyboard shortcuts for buttons. They are off while somebody types or a dialog is open. */
export const Keys = ({ children }: { readonly children: ReactNode }) => {
  const lists = useRef(new Set<() => readonly KeyAction[]>());
  const book = useMemo<Book>(
    () => ({
      actions: () => [...lists.current].reverse().flatMap((list) => list()),
      add: (list) => {
        lists.current.add(list);
        return () => lists.current.delete(list);
      },
    }),
    [],
  );
  useEffect(() => {
    let first: { key: string; at: number } | undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      const earlier = first && event.timeStamp - first.at < sequenceMs ? `${first.key} ${event.key}` : undefined;
      const actions = book.actions();
      const action = actions.find(({ keys }) => keys === earlier) ?? actions.find(({ keys }) => keys === event.key);
      first = { key: event.key, at: event.timeStamp };
      if (!action) return;
      event.preventDefault();
      action.run();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [book]);
  return <BookContext value={book}>{children}</BookContext>;
};

/** Registers keys while the calling component is shown; the innermost component wins. */
export const useKeys = (actions: readonly KeyAction[]): void => {
  const book = useContext(BookContext);
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => book?.add(() => latest.current), [book]);
};

/** All keys that are active now. */
export const useKeyList = (): (() => KeyAction[]) => {
  const book = useContext(BookContext);
  return () => book?.actions() ?? [];
};

const isTyping = ({ target, key }: KeyboardEvent): boolean => {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role="dialog"]')) return true;
  // A box takes no letters: who has just chosen jobs by it goes on with keys.
  if (target instanceof HTMLInputElement && target.type === "checkbox") return key === " ";
  const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return isText || target instanceof HTMLSelectElement || target.isContentEditable;
};
