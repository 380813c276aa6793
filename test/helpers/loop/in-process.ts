import { requireFreeLoop } from "./blocked.ts";
import { watchLoop } from "./watch-loop.ts";

/** What the coordinators of this thread did for too long since somebody asked. */
let works: string[] = [];
let look: (() => void) | undefined;

/** Watches the loop of coordinators that run in the tests' own thread. */
export const watchOwnLoop = (): void => {
  look ??= watchLoop(
    (words) => void works.push(words),
    () => true,
    2000, // what the test does itself is told apart by samples
  );
  look();
  works = [];
};

/** Ends the watch; gives what throws if a coordinator of this thread kept the loop for too long since `watchOwnLoop`. */
export const endOwnWatch = (): (() => void) => {
  look?.();
  const found = works;
  works = [];
  return () => requireFreeLoop(found);
};

/** Does what another program would do. It keeps the loop of this thread, and no coordinator of it is to blame. */
export const asAnotherProgram = <Result>(work: () => Result): Result => {
  look?.();
  const before = works;
  try {
    return work();
  } finally {
    look?.();
    works = before;
  }
};
