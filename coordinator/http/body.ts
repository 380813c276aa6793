import type { FastifyInstance } from "fastify";
import { AppError } from "../../shared/errors.ts";

/** Bytes of a request's body. */
export const bodyLimit = 4 * 1024 * 1024;
/** Far more than any job needs, far less than what a recursive reader dies of. */
const maxDepth = 200;

/** Any content type is read as JSON; an empty body is none, whatever its header says. GET and DELETE may have one. */
export const acceptBodies = (app: FastifyInstance): void => {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (request, body, done) => {
    const text = body.toString();
    const problem = problemOf(text);
    if (text.trim() === "") done(null, undefined);
    else if (problem) done(problem);
    else void parseJson(request, text, done);
  });
  app.addHttpMethod("GET", { hasBody: true, overrideExisting: true });
  app.addHttpMethod("DELETE", { hasBody: true, overrideExisting: true });
};

/** What no parser behind this door has to be asked: text that would break it, or what is made of it later. */
const problemOf = (text: string): AppError | undefined => {
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(text)) {
    return new AppError("VALIDATION_FAILED", "The body holds the character NUL (\\u0000), which stands for nothing");
  }
  if (isDeeperThan(text, maxDepth)) {
    return new AppError("INVALID_JSON", `The body is nested deeper than ${maxDepth} levels`);
  }
  return undefined;
};

/** Counts brackets outside of strings, a character at a time; what is no JSON at all is left to the parser. */
const isDeeperThan = (text: string, most: number): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length && depth <= most; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return depth > most;
};

const [quote, backslash] = [0x22, 0x5c];

const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at += 1;
  }
  return text.length;
};
