import { addCopyButtons } from "./copy.ts";
import { addSearch } from "./search-box.ts";

/** The dashboard's choice, where somebody made one in this browser. Browsers may refuse to keep anything. */
const followTheme = (): void => {
  try {
    const theme = localStorage.getItem("mediafarm.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // The page then follows the system.
  }
};

/** Lists stand beside the text where there is room for them; on phones they open when somebody asks. */
const openLists = (): void => {
  const shows = [
    [".pages details", "(min-width: 900px)"],
    [".contents details", "(min-width: 1200px)"],
  ] as const;
  for (const [selector, room] of shows) {
    const list = document.querySelector<HTMLDetailsElement>(selector);
    const hasRoom = matchMedia(room);
    const follow = () => {
      if (list) list.open = hasRoom.matches;
    };
    hasRoom.addEventListener("change", follow);
    follow();
  }
  document.querySelector(".pages [aria-current]")?.scrollIntoView({ block: "nearest" });
};

const base = document.currentScript?.dataset.base ?? "";
followTheme();
addEventListener("DOMContentLoaded", () => {
  openLists();
  addCopyButtons();
  addSearch(base);
});
