import { useSyncExternalStore } from "react";

/** Whether rows are laid out as on a phone: in several lines, each as high as its text. */
export const useNarrow = (): boolean => useMedia("(max-width: 599px)");

/** Whether what comes up beside a page has to lie over all of it. */
export const useTablet = (): boolean => useMedia("(max-width: 899px)");

/** Whether there is room for two things to work in side by side. */
export const useWide = (): boolean => useMedia("(min-width: 1600px)");

const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    () => matchMedia(query).matches,
  );
