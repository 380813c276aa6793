import { definitionError } from "../../../../../shared/model/failure.ts";

/**
 * Reads `key=value:key=value` for an encoder. Only keys of the list pass: none of them takes a path, so a job cannot
 * make an encoder read or write a file of the node. Throws TaskError `definition` for any other key.
 */
export const rawOptions = (text: string | undefined, allowed: ReadonlySet<string>, path: string): string[] =>
  (text ?? "")
    .split(":")
    .filter(Boolean)
    .map((pair) => checked(pair.trim(), allowed, path));

const checked = (pair: string, allowed: ReadonlySet<string>, path: string): string => {
  const found = /^([a-z0-9_-]+)(?:=([\w.,+()|-]*))?$/i.exec(pair);
  if (!found) throw definitionError(`${path} holds "${pair}", which is not key=value`);
  const key = (found[1] ?? "").toLowerCase().replaceAll("_", "-");
  if (!allowed.has(key.replace(/^no-/, ""))) throw definitionError(`${path} may not set "${found[1]}"`);
  return pair;
};
