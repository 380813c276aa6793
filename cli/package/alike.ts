import { chmodSync, lutimesSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Every file and folder below `folder`. */
export const pathsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) => join(parentPath, name));

/** Gives `folder` and all below it modes that do not depend on the builder's, and the time `seconds` (Unix time). */
export const makeAlike = (folder: string, isProgram: (path: string) => boolean, seconds = 0): void => {
  for (const path of [...pathsIn(folder), folder]) {
    chmodSync(path, statSync(path).isDirectory() || isProgram(path) ? 0o755 : 0o644);
    lutimesSync(path, seconds, seconds);
  }
};
