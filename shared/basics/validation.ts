import type { z } from "zod";
import { AppError, type ErrorDetail } from "./errors.ts";
import { nearest } from "./nearest-name.ts";

/** The most errors in one response, and the most allowed values listed in one error. */
const maxDetails = 100;
const maxChoices = 40;

type Issue = z.core.$ZodIssue;
/** Translates a path back to the names that the client used. */
type Spelling = (path: readonly PropertyKey[]) => readonly PropertyKey[];
const asRead: Spelling = (path) => path;

/**
 * Parses input from outside. `at` is the first part of every path. Throws AppError VALIDATION_FAILED with one detail per
 * error: its path, what was sent, what is allowed, and the value that was probably meant.
 */
export const parse = <T>(schema: z.ZodType<T>, value: unknown, at: string, spelling: Spelling = asRead): T => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  // Parsed again to report the input of each issue: only invalid requests pay for this.
  const issues = schema.safeParse(value, { reportInput: true }).error?.issues ?? result.error.issues;
  // A body may have almost as many errors as characters: only those that are shown are put into words.
  const shown = issues.slice(0, maxDetails);
  throw invalid(
    shown.map((issue) => ({ path: pathText(spelling(issue.path), at), message: describeIssue(issue) })),
    issues.length,
  );
};

/** `count`: how many errors there are in all. */
export const invalid = (details: readonly ErrorDetail[], count = details.length): AppError => {
  const [first] = details;
  const more = count > 1 ? ` (and ${count - 1} more)` : "";
  return new AppError("VALIDATION_FAILED", `${first?.path || "body"}: ${first?.message}${more}`, {
    details: details.slice(0, maxDetails),
  });
};

/** ["elements", 0, "kind"] below "payload" reads `payload.elements[0].kind`. */
export const pathText = (path: readonly PropertyKey[], at = ""): string => {
  const text = path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part)),
    at,
  );
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

/** What is wrong with a value, in words that follow its name. */
export const describeIssue = (issue: Issue): string => {
  if (issue.code === "custom") return issue.message;
  if (isMissing(issue)) return `is required: ${allowed(issue)}`;
  if (issue.code === "invalid_format" && !issue.message.startsWith("Invalid")) {
    return issue.message.startsWith("must ")
      ? `${issue.message}, not ${sent(issue)}`
      : `${sent(issue)} ${issue.message}`;
  }
  const meant = guess(issue);
  return `${allowed(issue)}, not ${sent(issue)}${meant === undefined ? "" : `; did you mean "${meant}"?`}`;
};

const isMissing = (issue: Issue): boolean =>
  valueOfIssue(issue) === undefined && ["invalid_type", "invalid_value", "invalid_union"].includes(issue.code);

/** An issue of a discriminated union carries the whole object as its input. */
const valueOfIssue = (issue: Issue): unknown => {
  if (issue.code !== "invalid_union" || issue.discriminator === undefined) return issue.input;
  return typeof issue.input === "object" && issue.input !== null
    ? Reflect.get(issue.input, issue.discriminator)
    : issue.input;
};

const secretFields = /pass|secret|token|access|credential|private|authorization/i;

/** What was sent, shortened; never a secret. */
const sent = (issue: Issue): string => {
  if (issue.path.some((part) => secretFields.test(String(part)))) return "what was sent";
  const value = valueOfIssue(issue);
  if (typeof value === "string" && value.length > 60) return `a text of ${value.length} characters`;
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "nothing");
};

const nouns: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
  nonoptional: "a value",
};

const allowed = (issue: Issue): string => {
  if (issue.code === "invalid_type") return `must be ${nouns[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return oneOf(issue.values);
  if (issue.code === "too_big")
    return `must ${extent(issue.origin, "at most", Number(issue.maximum), issue.inclusive)}`;
  if (issue.code === "too_small") {
    return `must ${extent(issue.origin, "at least", Number(issue.minimum), issue.inclusive)}`;
  }
  if (issue.code === "unrecognized_keys") return `must not have ${issue.keys.map((key) => `"${key}"`).join(", ")}`;
  if (issue.code === "invalid_union") return union(issue);
  return issue.message;
};

const oneOf = (values: readonly unknown[]): string => {
  const shown = values.slice(0, maxChoices).map((value) => JSON.stringify(value));
  const rest = values.length > maxChoices ? `, … (${values.length} in all)` : "";
  return shown.length === 1 ? `must be ${shown[0]}` : `must be one of ${shown.join(", ")}${rest}`;
};

const extent = (origin: string, bound: string, limit: number, inclusive: boolean | undefined): string => {
  const than = inclusive === false ? (bound === "at most" ? "less than" : "more than") : bound;
  if (origin === "string") return `have ${than} ${limit} ${limit === 1 ? "character" : "characters"}`;
  if (origin === "array") return `have ${than} ${limit} ${limit === 1 ? "item" : "items"}`;
  return `be ${than} ${limit}`;
};

const union = (issue: z.core.$ZodIssueInvalidUnion): string => {
  if ("options" in issue && Array.isArray(issue.options)) return oneOf(issue.options);
  const choices = issue.errors.flatMap(([first]) => (first ? [allowed(first).replace(/^must be /, "")] : []));
  return `must be ${[...new Set(choices)].join(" or ")}`;
};

const guess = (issue: Issue): string | undefined => {
  const value = valueOfIssue(issue);
  const values = issue.code === "invalid_value" ? issue.values : "options" in issue ? issue.options : undefined;
  if (typeof value !== "string" || value.length > 60 || !Array.isArray(values)) return undefined;
  const words = values.filter((each): each is string => typeof each === "string");
  return words.find((word) => word.toLowerCase() === value.toLowerCase()) ?? nearest(value, words);
};
