/** Resolves when the program is asked to stop. Call it early, so that no request is missed. */
export const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
