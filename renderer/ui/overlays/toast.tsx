import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { Button } from "../controls/button.tsx";
import css from "./toast.module.css";

type Toast = { readonly text: string; readonly act?: () => void; readonly word: string };
/** Returns what takes the text away. */
type Say = (text: string, act?: () => void, word?: string) => () => void;

/** How long a text stands there with what can be done about it. */
export const shownMs = 10_000;
const SayContext = createContext<Say>(() => () => {});

/** Says what was done, with Undo or another word for what can be done about it, or what could not be done. */
export const useSay = (): Say => useContext(SayContext);

export const Toasts = ({ children }: { readonly children: ReactNode }) => {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const drop = useCallback((toast: Toast) => setToasts((list) => list.filter((each) => each !== toast)), []);
  const say = useCallback<Say>(
    (text, act, word = t`Undo`) => {
      const toast = { text, act, word };
      setToasts((list) => [...list, toast].slice(-3));
      systemClock.after(shownMs, () => drop(toast));
      return () => drop(toast);
    },
    [drop],
  );
  const shown = useMemo(
    () =>
      toasts.map((toast, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: at most three, added at the end
        <div key={index} className={css.toast}>
          <span dir="auto">{toast.text}</span>
          {toast.act && (
            <Button
              look="quiet"
              onClick={() => {
                drop(toast);
                toast.act?.();
              }}
            >
              {toast.word}
            </Button>
          )}
          <Button look="quiet" onClick={() => drop(toast)}>
            <Trans>Close</Trans>
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
