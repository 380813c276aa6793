/** Work that may keep the loop for longer than 50 ms, by the function that does it, and why. */
export const exceptions: readonly { readonly at: string; readonly why: string }[] = [
  {
    at: "getTaskLog in coordinator/routes/tasks.ts",
    why: "a log of 5 MB is one value of the store, which is read, opened and sent whole: 0.3 s on a slow machine",
  },
];
