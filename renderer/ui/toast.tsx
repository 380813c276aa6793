import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { systemClock } from "../../shared/system-clock.ts";
import { Button } from "./button.tsx";
import css from "./toast.module.css";

type Toast = { readonly text: string; readonly undo?: () => void };
type Say = (text: string, undo?: () => void) => void;

const shownMs = 10_000;
const SayContext = createContext<Say>(() => {});

/** Says what was done, with Undo if possible, or what could not be done. */
export const useSay = (): Say => useContext(SayContext);

export const Toasts = ({ children }: { readonly children: ReactNode }) => {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const drop = useCallback((toast: Toast) => setToasts((list) => list.filter((each) => each !== toast)), []);
  const say = useCallback<Say>(
    (text, undo) => {
      const toast = { text, undo };
      setToasts((list) => [...list, toast].slice(-3));
      systemClock.after(shownMs, () => drop(toast));
    },
    [drop],
  );
  const shown = useMemo(
    () =>
      toasts.map((toast, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: at most three, added at the end
        <div key={index} className={css.toast}>
          <span dir="auto">{toast.text}</span>
          {toast.undo && (
            <Button
              look="quiet"
              onClick={() => {
                drop(toast);
                toast.undo?.();
              }}
            >
              Undo
            </Button>
          )}
          <Button look="quiet" onClick={() => drop(toast)}>
            Close
          </Button>
        </div>
      )),
    [toasts, drop],
  );
  return (
    <SayContext value={say}>
      {children}
      <div className={css.toasts} role="status" aria-live="polite">
        {shown}
      </div>
    </SayContext>
  );
};
