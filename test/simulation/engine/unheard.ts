import { LifeIsOver } from "./life.ts";

let hear: (problem: unknown) => void = () => undefined;

/** Who hears of rejections that nobody handles, from now on. */
export const hearUnheard = (next: (problem: unknown) => void): void => {
  hear = next;
};

/** Called once for the process. */
export const watchUnheard = (): void => {
  process.on("unhandledRejection", (problem) => {
    if (!(problem instanceof LifeIsOver)) hear(problem);
  });
};
