import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useKeys } from "../ui/keys.tsx";

/** Pages that a display on the wall shows. */
const pages: ReadonlySet<string> = new Set(["/overview", "/nodes"]);

/**
 * A display on the wall: one page, large, and nothing to press. It stands in the address, so that a display can begin with
 * it; `Shift F` fills the screen too, which browsers allow only to who pressed something.
 */
export const useWall = (): boolean => {
  const navigate = useNavigate();
  const { pathname, isWall } = useRouterState({
    select: ({ location }) => ({
      pathname: location.pathname,
      isWall: (location.search as { readonly wall?: unknown }).wall === true, // any page's, whatever it calls its own
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
          { keys: "F", word: "Leave the wall display", run: leave },
          { keys: "Escape", word: "Leave the wall display", run: leave },
        ]
      : [{ keys: "F", word: "Show on a wall: large, without controls", run: enter }],
  );
  return isWall && pages.has(pathname);
};
