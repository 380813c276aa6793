import { z } from "zod";
import { looseBoolean } from "./loose.ts";

/** Which files of a folder a job means, as it says so. */
export const fileSelection = {
  pattern_matching: z.enum(["wildcard", "regex"]).default("wildcard"),
  wildcard: z.string().min(1).max(1000).default("*"),
  regex: z.string().max(1000).refine(isRegex, "is no regular expression").optional(),
  recursive: looseBoolean().default(false),
};

/** The same as a node is told. */
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

/** A wish for a regular expression without one. */
export const lacksRegex = ({ pattern_matching, regex }: Settings): boolean => pattern_matching === "regex" && !regex;

/**
 * Whether a name fits a pattern of `*` (any characters) and `?` (one). Capitals count. Takes time in proportion to both
 * lengths at most, whatever the pattern is.
 */
export const fitsWildcard = (name: string, pattern: string): boolean => {
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

/** Hidden names are meant only where the pattern says so. */
export const isHiddenFrom = (name: string, { pattern }: Selection): boolean =>
  name.startsWith(".") && !("wildcard" in pattern && pattern.wildcard.startsWith("."));

/** A file that lies in a folder, as a listing tells of it. */
export const listedFile = z.strictObject({
  uri: z.string().max(8000),
  size: z.number().nonnegative(),
  /** Milliseconds since 1970; 0 where the storage does not say. */
  modified: z.number(),
});
export type ListedFile = z.output<typeof listedFile>;

/** More files than this in one folder are refused. */
export const mostListed = 100_000;

function isRegex(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}
