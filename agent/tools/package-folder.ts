import { createRequire } from "node:module";
import { dirname } from "node:path";

/** The folder of an installed package; undefined for an optional one that is missing. Runs none of its code. */
export const packageFolder = (name: string): string | undefined => {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
};
