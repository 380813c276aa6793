import { AppError } from "../../shared/basics/errors.ts";

/** Far more than any job needs, far less than what overflows a recursive reader. */
const maxDepth = 200;
/** The parser's time grows with these more than with bytes: no job, list of ids or preset has as many. */
const maxValues = 64_000;

/** Rejects text that would break a parser, or code that uses its result later. */
export const findJsonProblem = (text: string, what: string): AppError | undefined => {
  if (text.includes("\\u0000") && /(?<!\\)(?:\\\\)*\\u0000/.test(text)) {
    return new AppError("VALIDATION_FAILED", `${what} contains a NUL character (\\u0000)`);
  }
  const { depth, values } = measured(text);
  if (depth > maxDepth) return new AppError("INVALID_JSON", `${what} is nested deeper than ${maxDepth} levels`);
  if (values > maxValues) return new AppError("TOO_LARGE", `${what} has more than ${maxValues} values and names`);
  return undefined;
};

/**
 * Parses JSON inside something else, such as a query. Undefined if it is not JSON. Throws AppError for what `problemOf`
 * reports.
 */
export const parseJsonText = (text: string, what: string): unknown => {
  const problem = findJsonProblem(text, what);
  if (problem) throw problem;
  try {
    return JSON.parse(text, (key, value) => refusePrototypes(key, value, what));
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    return undefined;
  }
};

const refusePrototypes = (key: string, value: unknown, what: string): unknown => {
  const isConstructor = key === "constructor" && typeof value === "object" && value !== null && "prototype" in value;
  if (key !== "__proto__" && !isConstructor) return value;
  throw new AppError("INVALID_JSON", `${what} names the prototype of an object`);
};

/** Counts brackets, and what separates values, outside strings; the parser reports invalid JSON. Ends beyond a limit. */
const measured = (text: string): { readonly depth: number; readonly values: number } => {
  let [depth, values] = [0, 1];
  for (let at = 0; at < text.length && depth <= maxDepth && values <= maxValues; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x5d || code === 0x7d) depth -= 1;
    else if (code === 0x2c || code === 0x3a) values += 1;
  }
  return { depth, values };
};

const [quote, backslash] = [0x22, 0x5c];

const endOfString = (text: string, start: number): number => {
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at < 0 ? text.length : at;
};

/** After an odd number of backslashes. */
const isEscaped = (text: string, at: number): boolean => {
  let from = at;
  while (text.charCodeAt(from - 1) === backslash) from -= 1;
  return (at - from) % 2 === 1;
};
