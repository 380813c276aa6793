/** A task's tags: its job's and its element's. */
export const joinTags = (job: readonly string[], element: readonly string[]): string[] => [
  ...new Set([...job, ...element]),
];
