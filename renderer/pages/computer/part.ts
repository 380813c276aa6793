import type { Bridge, Computer } from "../../../shared/desktop/ipc.ts";

/** What every part of the page gets. */
export type PartProps = {
  readonly computer: Computer;
  readonly ask: (question: (app: Bridge) => Promise<unknown>) => void;
};
