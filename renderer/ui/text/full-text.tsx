import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from "react";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import css from "./full-text.module.css";

/** Where the text stands: an attribute of the element whose text may be cut. Empty: the text that the element has. */
export const fullTextAttribute = "data-full";

type Shown = { readonly lines: readonly string[]; readonly at: Element };

const restMs = 350;
const mostLines = 6;
const tellers = `[role="row"], a, button, summary`; // untranslated: a selector
const id = "full-text";

/**
 * What is cut is shown whole under the pointer, and of a row that has the focus: one float for all pages, which Escape
 * closes. Whoever hears the page is told of it by the row.
 */
export const FullTexts = () => {
  const [shown, setShown] = useState<Shown>();
  const float = useRef<HTMLDivElement>(null);
  useListeners(setShown, float);
  const style = usePlace(shown, float);
  useEffect(() => {
    if (!shown?.at.matches(":focus")) return;
    shown.at.setAttribute("aria-describedby", id);
    return () => shown.at.removeAttribute("aria-describedby");
  }, [shown]);
  return (
    <div ref={float} id={id} role="tooltip" className={css.float} hidden={!shown} style={style}>
      {shown?.lines.map((line) => (
        <p key={line} dir="auto">
          {line}
        </p>
      ))}
    </div>
  );
};

/** Cut texts at this element: its own, or those within a row. */
const cutTexts = (at: Element): readonly string[] => {
  const own = at.matches(`[${fullTextAttribute}]`) ? [at] : [...at.querySelectorAll(`[${fullTextAttribute}]`)];
  const texts = own.flatMap((each) => {
    const full = each.getAttribute(fullTextAttribute) ?? "";
    if (full !== "" && full !== each.textContent) return [full];
    const parts = [each, ...each.children];
    const isCut = parts.some(isOverfull);
    return isCut ? [each.textContent ?? ""] : [];
  });
  return [...new Set(texts)].slice(0, mostLines);
};

const isOverfull = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element): boolean =>
  clientWidth > 0 && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 6);

const useListeners = (show: (shown: Shown | undefined) => void, float: { readonly current: Element | null }) =>
  useEffect(() => {
    let wait = () => {};
    const later = (at: Element, ms: number) => {
      wait();
      wait = systemClock.after(ms, () => {
        const lines = at.isConnected ? cutTexts(at) : [];
        show(lines.length > 0 ? { lines, at } : undefined);
      });
    };
    const hide = () => {
      wait();
      show(undefined);
    };
    const onPoint = ({ target }: Event) => {
      if (!(target instanceof Element) || float.current?.contains(target)) return wait();
      const at = target.closest(`[${fullTextAttribute}]`);
      if (at) later(at, restMs);
      else hide();
    };
    const onFocus = ({ target }: Event) => {
      if (!(target instanceof Element) || !target.matches(":focus-visible")) return hide();
      if (target.matches(tellers)) later(target, restMs);
      else hide();
    };
    const onKey = ({ key }: KeyboardEvent) => key === "Escape" && hide();
    const listeners = [
      ["pointerover", onPoint],
      ["focusin", onFocus],
      ["focusout", hide],
      ["keydown", onKey],
      ["pointerdown", hide],
      ["scroll", hide],
    ] as const;
    for (const [type, listener] of listeners) document.addEventListener(type, listener as EventListener, true);
    return () => {
      wait();
      for (const [type, listener] of listeners) document.removeEventListener(type, listener as EventListener, true);
    };
  }, [show, float]);

const gap = 6;

/** Below what it tells of, or above where there is no room; never beyond the window's edges. */
const usePlace = (shown: Shown | undefined, float: { readonly current: HTMLElement | null }) => {
  const [style, setStyle] = useState<CSSProperties>({});
  useLayoutEffect(() => {
    if (!shown || !float.current) return;
    const around = shown.at.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = float.current;
    const isBelow = around.bottom + gap + height <= innerHeight;
    setStyle({
      left: Math.max(gap, Math.min(around.left, innerWidth - width - gap)),
      top: isBelow ? around.bottom + gap : Math.max(gap, around.top - gap - height),
    });
  }, [shown, float]);
  return style;
};
