import { useSyncExternalStore } from "react";

const phone = "(max-width: 599px)";

/** Whether rows are laid out as on a phone: in several lines, each as high as its text. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      const query = matchMedia(phone);
      query.addEventListener("change", changed);
      return () => query.removeEventListener("change", changed);
    },
    () => matchMedia(phone).matches,
  );
