/** Work that may keep the loop for longer than 50 ms, by the function that does it, and why. */
export const exceptions: readonly { readonly at: string; readonly why: string }[] = [];
