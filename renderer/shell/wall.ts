import { t } from "@lingui/core/macro";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { systemClock } from "../../shared/basics/system-clock.ts";
import { useKeys } from "../ui/controls/keys.tsx";

/** Pages that a wall display can show. */
const pages: ReadonlySet<string> = new Set(["/overview", "/nodes"]);

/**
 * A wall display: one page, large, without controls. It is part of the address, so that a display can start with it;
 * `Shift F` also fills the screen, which browsers allow only after a key press or click.
 */
export const useWall = (): boolean => {
  const navigate = useNavigate();
  const { pathname, isWall } = useRouterState({
    select: ({ location }) => ({
      pathname: location.pathname,
      isWall: (location.search as { readonly wall?: unknown }).wall === true, // any page may have it
    }),
    structuralSharing: true,
  });
  const set = (wall: true | undefined) =>
    void navigate({ to: pages.has(pathname) ? "." : "/overview", search: (old: object) => ({ ...old, wall }) });
  const enter = () => {
    set(true);
    void document.documentElement.requestFullscreen?.().catch(() => {}); // large all the same
  };
  const leave = () => {
    set(undefined);
    if (document.fullscreenElement) void document.exitFullscreen();
  };
  useKeys(
    isWall
      ? [
          { keys: "F", word: t`Leave the wall display`, run: leave },
          { keys: "Escape", word: t`Leave the wall display`, run: leave },
        ]
      : [{ keys: "F", word: t`Show on a wall: large, without controls`, run: enter }],
  );
  const isShown = isWall && pages.has(pathname);
  useScrollByItself(isShown);
  return isShown;
};

/** So long each part of a long page stays; then the next one comes, and after the last the first. */
const stayMs = 12_000;
/** Of the height in sight: what was at the lower edge stays in sight at the upper one. */
const step = 0.8;

/** Nobody can scroll a display on a wall: it goes through its page by itself. */
const useScrollByItself = (isOn: boolean): void =>
  useEffect(() => {
    if (!isOn) return;
    let cancel = () => {};
    const goOn = () => {
      const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
      for (const each of scrollers()) {
        const isAtEnd = each.scrollTop + each.clientHeight >= each.scrollHeight - 2;
        each.scrollTo({ top: isAtEnd ? 0 : each.scrollTop + each.clientHeight * step, behavior });
      }
      cancel = systemClock.after(stayMs, goOn);
    };
    cancel = systemClock.after(stayMs, goOn);
    return () => cancel();
  }, [isOn]);

const parts = "main, main *"; // untranslated: a selector

/** The outermost parts of the page that are longer than their place. */
const scrollers = (): readonly Element[] => {
  const all = [...document.querySelectorAll(parts)].filter(
    (each) => each.scrollHeight > each.clientHeight + 8 && /auto|scroll/.test(getComputedStyle(each).overflowY),
  );
  return all.filter((each) => !all.some((other) => other !== each && other.contains(each)));
};
