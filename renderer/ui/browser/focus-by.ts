/**
 * Notes whether people use keys or the pointer: the ring around what has the focus is for keys. Browsers show it in fields
 * after a click too, and after a program moved the focus.
 */
export const watchFocus = (): void => {
  const note = (by: "keys" | "pointer") => () => {
    document.documentElement.dataset.focus = by;
  };
  addEventListener("pointerdown", note("pointer"), true);
  addEventListener("keydown", note("keys"), true);
};
