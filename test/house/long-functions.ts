import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, traverse } from "@babel/core";

export type LongFunction = { readonly path: string; readonly line: number; readonly lines: number };

/** Functions of more lines than that, the longest first. */
export const longFunctions = (root: string, files: readonly string[], most: number): LongFunction[] =>
  files
    .flatMap((path) => functionsIn(root, path).filter(({ lines }) => lines > most))
    .sort((one, other) => other.lines - one.lines);

const functionsIn = (root: string, path: string): LongFunction[] => {
  const parsed = parseSync(readFileSync(join(root, path), "utf8"), {
    babelrc: false,
    configFile: false,
    sourceType: "module",
    parserOpts: { plugins: ["typescript", ...(path.endsWith("x") ? (["jsx"] as const) : [])] },
  });
  const found: LongFunction[] = [];
  if (!parsed) return found;
  traverse(parsed, {
    Function: ({ node: { loc } }) => {
      if (loc) found.push({ path, line: loc.start.line, lines: loc.end.line - loc.start.line + 1 });
    },
  });
  return found;
};
