import { type FocusEvent, type PointerEvent as ReactPointerEvent, useEffect, useRef, useState } from "react";

/** Whether somebody points at the texts or has the focus in them: their time stands still meanwhile. */
export const useToastHold = (toasts: readonly unknown[]) => {
  const { isPointed, pointed } = usePointed(toasts.length > 0);
  const [isFocused, setFocused] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const before = useRef<EventTarget | null>(null);
  const isHeld = toasts.length > 0 && (isPointed || isFocused);
  const held = useRef(isHeld);
  // A button that goes away says nothing of the focus that it had.
  useEffect(() => setFocused(toasts.length > 0 && !!element.current?.contains(document.activeElement)), [toasts]);
  useEffect(() => {
    held.current = isHeld;
  }, [isHeld]);
  const isOwn = (target: EventTarget | null) => target instanceof Node && !!element.current?.contains(target);
  const [stable] = useState(() => ({
    isHeldNow: () => held.current,
    /** To where it was before it came here. */
    giveFocusBack: () => before.current instanceof HTMLElement && before.current.focus({ preventScroll: true }),
  }));
  return {
    isHeld,
    ...stable,
    frame: {
      ref: element,
      ...pointed,
      onFocus: ({ relatedTarget }: FocusEvent) => {
        if (relatedTarget && !isOwn(relatedTarget)) before.current = relatedTarget;
        setFocused(true);
      },
      // Where another window gets the focus, it comes back to the same button.
      onBlur: ({ relatedTarget }: FocusEvent) => setFocused(isOwn(relatedTarget) || isOwn(document.activeElement)),
    },
  };
};

/**
 * Whether somebody moved the pointer there. A text that comes up where the pointer rests is not pointed at: who deletes
 * a job and walks away would otherwise hold it for ever.
 */
const usePointed = (isShown: boolean) => {
  const [isPointed, setPointed] = useState(false);
  const last = useRef<{ readonly x: number; readonly y: number }>(null);
  // What goes away says nothing of the pointer that it had.
  useEffect(() => {
    if (!isShown) setPointed(false);
  }, [isShown]);
  useEffect(() => {
    const note = ({ clientX: x, clientY: y }: PointerEvent): void => {
      last.current = { x, y };
    };
    addEventListener("pointermove", note);
    addEventListener("pointerdown", note);
    return () => {
      removeEventListener("pointermove", note);
      removeEventListener("pointerdown", note);
    };
  }, []);
  // This hears of a move before the window does.
  const point = ({ clientX, clientY }: ReactPointerEvent): void => {
    if (clientX !== last.current?.x || clientY !== last.current.y) setPointed(true);
  };
  return {
    isPointed,
    pointed: { onPointerEnter: point, onPointerMove: point, onPointerLeave: () => setPointed(false) },
  };
};
