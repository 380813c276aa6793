import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { Button } from "../controls/button.tsx";
import { useKeys } from "../controls/keys.tsx";
import css from "./toast.module.css";
import { useToastHold } from "./toast-hold.ts";

type Toast = {
  readonly nr: number;
  readonly text: string;
  readonly act?: (() => void) | undefined;
  readonly word: string;
  readonly gone?: (() => void) | undefined;
  /** It takes back what was done: its key does so for some time after the text is gone. */
  readonly isUndo: boolean;
};

/**
 * Says a text, and returns what takes it away. `act` is what can be done about it, under `word`; `gone` is called once
 * the text is gone and nobody did that.
 */
type Say = (text: string, act?: () => void, word?: string, gone?: () => void) => () => void;

const shownMs = 10_000;
/** Who turns away from a text still has so long to come back to it. */
const fewestMs = 2000;
/** The coordinator takes actions back for so long. */
const undoneMs = 600_000;
const mostShown = 3;
/** While somebody looks at them, none makes room for a new one. */
const mostHeld = 8;
const SayContext = createContext<Say>(() => () => {});

/** Says what was done, with Undo or another word for what can be done about it, or what could not be done. */
export const useSay = (): Say => useContext(SayContext);

export const Toasts = ({ children }: { readonly children: ReactNode }) => {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const { isHeld, isHeldNow, frame, giveFocusBack } = useToastHold(toasts);
  const [list] = useState(() => createList(setToasts));
  const act = (toast: Toast): void => {
    list.drop(toast, { isDone: true });
    toast.act?.();
  };
  const last = toasts.findLast(({ act }) => act !== undefined);
  useKeys([{ keys: "z", word: last?.word ?? t`Undo`, run: () => (last ? act(last) : list.undoGone()) }]);
  const say = useMemo<Say>(
    () => (text, act, word, gone) =>
      list.add(
        { text, act, word: word ?? t`Undo`, gone, isUndo: word === undefined && gone === undefined },
        isHeldNow() ? mostHeld : mostShown,
      ),
    [list, isHeldNow],
  );
  return (
    <SayContext value={say}>
      {children}
      <div className={css.toasts} role="status" aria-live="polite" {...frame}>
        {toasts.map((toast) => (
          <Line
            key={toast.nr}
            {...{ toast, isHeld }}
            hint={toast === last ? "z" : undefined}
            onEnd={() => list.drop(toast)}
            onAct={() => {
              giveFocusBack();
              act(toast);
            }}
            onClose={() => {
              giveFocusBack();
              list.drop(toast);
            }}
          />
        ))}
      </div>
    </SayContext>
  );
};

/** The texts that are shown, the oldest first, and the last one that went whose action can still be taken back. */
const createList = (onChange: (toasts: readonly Toast[]) => void) => {
  let shown: readonly Toast[] = [];
  let said = 0;
  let gone: { readonly undo: () => void; readonly at: number } | undefined;
  const show = (toasts: readonly Toast[]): void => {
    shown = toasts;
    onChange(toasts);
  };
  const drop = (toast: Toast, { isDone = false } = {}): void => {
    if (!shown.includes(toast)) return;
    show(shown.filter((each) => each !== toast));
    if (!isDone) leave(toast);
  };
  const leave = (toast: Toast): void => {
    if (toast.isUndo && toast.act) gone = { undo: toast.act, at: systemClock.monotonic() };
    toast.gone?.();
  };
  return {
    drop,
    undoGone: () => {
      const last = gone;
      gone = undefined;
      if (last && systemClock.monotonic() - last.at < undoneMs) last.undo();
    },
    add: (what: Omit<Toast, "nr">, most: number) => {
      said += 1;
      const toast = { ...what, nr: said };
      const all = [...shown, toast];
      show(all.slice(-most));
      for (const each of all.slice(0, -most)) leave(each);
      return () => drop(toast);
    },
  };
};

type LineProps = {
  readonly toast: Toast;
  readonly isHeld: boolean;
  readonly hint: string | undefined;
  readonly onEnd: () => void;
  readonly onAct: () => void;
  readonly onClose: () => void;
};

const Line = ({ toast, isHeld, hint, onEnd, onAct, onClose }: LineProps) => {
  const left = useRef(shownMs);
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });
  useEffect(() => {
    if (isHeld) return;
    const from = systemClock.monotonic();
    const cancel = systemClock.after(left.current, () => end.current());
    return () => {
      cancel();
      left.current = Math.max(fewestMs, left.current - (systemClock.monotonic() - from));
    };
  }, [isHeld]);
  return (
    <div className={css.toast}>
      <span dir="auto">{toast.text}</span>
      {toast.act && (
        <Button look="quiet" hint={hint} onClick={onAct}>
          {toast.word}
        </Button>
      )}
      <Button look="quiet" onClick={onClose}>
        <Trans>Close</Trans>
      </Button>
    </div>
  );
};
