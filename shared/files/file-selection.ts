import { z } from "zod";
import { amount, instant } from "../basics/bounds.ts";
import { looseBoolean } from "../basics/loose-values.ts";
import { isSectionFile } from "./section-files.ts";

/** A job's selection of files in a folder. */
export const fileSelection = {
  pattern_matching: z.enum(["wildcard", "regex"]).default("wildcard"),
  wildcard: z.string().min(1).max(1000).default("*"),
  regex: z.string().max(1000).refine(isRegex, "is not a regular expression").optional(),
  recursive: looseBoolean().default(false),
};

/** The same in the form for nodes. */
export const selection = z.strictObject({
  pattern: z.union([
    z.strictObject({ wildcard: z.string().max(1000) }),
    z.strictObject({ regex: z.string().max(1000) }),
  ]),
  isRecursive: z.boolean(),
});
export type Selection = z.output<typeof selection>;

type Settings = {
  readonly pattern_matching?: "wildcard" | "regex" | undefined;
  readonly wildcard?: string | undefined;
  readonly regex?: string | undefined;
  readonly recursive?: boolean | undefined;
};

export const selectionOf = ({
  pattern_matching,
  wildcard = "*",
  regex = "",
  recursive = false,
}: Settings): Selection => ({
  pattern: pattern_matching === "regex" ? { regex } : { wildcard },
  isRecursive: recursive,
});

/** A regular expression was requested but is missing. */
export const lacksRegex = ({ pattern_matching, regex }: Settings): boolean => pattern_matching === "regex" && !regex;

/**
 * Whether a name matches a pattern of `*` (any characters) and `?` (one). Case-sensitive. The time is at most
 * proportional to the product of both lengths, whatever the pattern.
 */
export const matchesWildcard = (name: string, pattern: string): boolean => {
  const [text, wanted] = [[...name], [...pattern]];
  let [at, next] = [0, 0];
  let [star, resume] = [-1, 0];
  while (at < text.length) {
    if (next < wanted.length && wanted[next] === "*") {
      [star, resume] = [next, at];
      next += 1;
    } else if (next < wanted.length && (wanted[next] === "?" || wanted[next] === text[at])) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      resume += 1;
      [at, next] = [resume, star + 1];
    } else return false;
  }
  return wanted.slice(next).every((each) => each === "*");
};

/** Hidden names match only if the pattern names them, and sections of a transcode under way never do. */
export const isHiddenFrom = (name: string, { pattern }: Selection): boolean =>
  isSectionFile(name) || (name.startsWith(".") && !("wildcard" in pattern && pattern.wildcard.startsWith(".")));

/** A file in a folder, as listed. */
export const listedFile = z.strictObject({
  uri: z.string().max(8000),
  size: amount,
  /** Unix milliseconds; 0 if the storage does not report it. */
  modified: instant,
});
export type ListedFile = z.output<typeof listedFile>;

/** More files than this in one folder are refused. */
export const maxListedFiles = 100_000;

function isRegex(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}
