import { t } from "@lingui/core/macro";
import { useNavigate, useRouterState } from "@tanstack/react-router";
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
  return isWall && pages.has(pathname);
};
