/** Resolves when somebody asks the program to stop. Called early: a request that comes before must not go unheard. */
export const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
