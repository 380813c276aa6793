import { isAbsolute, join } from "node:path";
import { AppError } from "../../shared/basics/errors.ts";
import { decodeOnce } from "../../shared/files/location.ts";

/** Below the folder that all files of a job have in common, with `/`: packages keep their folders. */
export const relativeNames = (uris: readonly string[]): Map<string, string> => {
  const parts = uris.map((uri) => uri.split("/"));
  const [first = []] = parts;
  const shared = parts.reduce((most, each) => {
    const limit = Math.min(most, each.length - 1);
    const at = each.findIndex((part, index) => index >= limit || part !== first[index]);
    return at < 0 ? limit : Math.min(limit, at);
  }, first.length - 1);
  return new Map(uris.map((uri, index) => [uri, (parts[index] ?? []).slice(shared).map(decoded).join("/")]));
};

const decoded = (part: string): string => decodeOnce(part) ?? part;

/** Where a file with this name is put. Throws AppError for a name that would leave the folder or that no disk takes. */
export const placeIn = (folder: string, name: string): string => {
  const parts = name.split(/[/\\]/);
  const isWrong = isAbsolute(name) || parts.some((part) => /^(?:\.{0,2}|[a-z]:.*)$/i.test(part) || hasControl(part));
  if (isWrong) throw new AppError("CONFLICT", `No file here can be called ${JSON.stringify(name)}`);
  return join(folder, ...parts);
};

const hasControl = (part: string): boolean => [...part].some((letter) => letter < " " || letter === "\u007f");

/** Whether a name, or the last part of it, matches a pattern: `*` is anything but `/`, `**` anything, `?` one letter. */
export const matcherOf = (pattern: string): ((name: string) => boolean) => {
  const source = pattern.replaceAll(/\*\*|\*|\?|[^*?]+/g, (part) => {
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    return part === "?" ? "[^/]" : part.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");
  });
  const expression = new RegExp(`^${source}$`, "su");
  return (name) => expression.test(name) || (!pattern.includes("/") && expression.test(name.split("/").at(-1) ?? ""));
};
