import { join } from "node:path";

/** Words for Node that make a coordinator's program tell when it keeps its loop from others for too long. */
export const loopWatch: readonly string[] = ["--import", join(import.meta.dirname, "preload.ts")];

/** What a watched coordinator writes to its log about work that kept its loop for too long. */
export const blockedMessage = "the loop was kept from others";

/** The works that a program's log names. */
export const blockedIn = (log: string): string[] =>
  log
    .split("\n")
    .filter((line) => line.includes(blockedMessage) && line.startsWith("{") && line.endsWith("}"))
    .map((line) => String(JSON.parse(line).work));

/** Throws if there is such work. */
export const requireFreeLoop = (works: readonly string[]): void => {
  if (works.length > 0) throw new Error(`The coordinator did\n${[...new Set(works)].join("\n")}`);
};
