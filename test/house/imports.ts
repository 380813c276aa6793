import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

export const layers = ["shared", "media", "coordinator", "agent", "renderer", "electron", "cli"] as const;
export type Layer = (typeof layers)[number];

/** How a file imports another: values at once, types alone, or values when they are needed. */
export type Manner = "value" | "type" | "lazy";
export type Import = { readonly target: string; readonly manner: Manner };
/** Every source file, by its path below the root, with what it imports; packages keep their names. */
export type Imports = ReadonlyMap<string, readonly Import[]>;

export const sourceFiles = (root: string): string[] =>
  globSync(`{${layers.join(",")}}/**/*.{ts,tsx}`, { cwd: root }).map((path) => path.replaceAll("\\", "/"));

export const readImports = (root: string, files: readonly string[] = sourceFiles(root)): Imports =>
  new Map(files.map((path) => [path, importsIn(path, readFileSync(join(root, path), "utf8"))]));

const importsIn = (path: string, text: string): Import[] => [
  ...[...text.matchAll(/(?:^|\n)(?:import|export)\s+(type\s)?([^;"]*?from\s+)?"([^"]+)"/g)].map(
    ([, type, names = "", from = ""]): Import => ({
      target: targetOf(path, from),
      manner: type !== undefined || namesOnlyTypes(names) ? "type" : "value",
    }),
  ),
  ...[...text.matchAll(/\bimport\(\s*"([^"]+)"/g)].map(
    ([, from = ""]): Import => ({ target: targetOf(path, from), manner: "lazy" }),
  ),
];

const namesOnlyTypes = (names: string): boolean => {
  const listed = /^\{([^}]*)\}/
    .exec(names)?.[1]
    ?.split(",")
    .filter((name) => name.trim() !== "");
  return listed?.every((name) => name.trim().startsWith("type ")) ?? false;
};

const targetOf = (path: string, from: string): string =>
  from.startsWith(".") ? normalize(join(dirname(path), from)).replaceAll("\\", "/") : from;

/** Groups of files that import each other in a circle (strongly connected components, Tarjan 1972), the largest first. */
export const circlesOf = (imports: Imports, manners: readonly Manner[]): string[][] => {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const targetsOf = (path: string): string[] =>
    (imports.get(path) ?? [])
      .filter(({ target, manner }) => manners.includes(manner) && imports.has(target))
      .map(({ target }) => target);
  const lower = (path: string, to = 0): void => {
    lowest.set(path, Math.min(lowest.get(path) ?? to, to));
  };
  const visit = (path: string): void => {
    lower(path, order.size);
    order.set(path, order.size);
    open.push(path);
    for (const target of targetsOf(path)) {
      if (!order.has(target)) visit(target);
      if (open.includes(target)) lower(path, lowest.get(target));
    }
    if (lowest.get(path) === order.get(path)) circles.push(open.splice(open.indexOf(path)).sort());
  };
  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return circles.filter(({ length }) => length > 1).sort((one, other) => other.length - one.length);
};

/** All that is loaded with a file; with `lazy`, also what is loaded once it is needed. */
export const loadedBy = (
  imports: Imports,
  path: string,
  manners: readonly Manner[] = ["value"],
): ReadonlySet<string> => {
  const loaded = new Set<string>();
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (loaded.has(next) || !imports.has(next)) continue;
    loaded.add(next);
    for (const { target, manner } of imports.get(next) ?? []) if (manners.includes(manner)) waiting.push(target);
  }
  return loaded;
};
