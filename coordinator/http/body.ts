import type { FastifyInstance } from "fastify";
import { problemOf } from "./json-text.ts";

/** Bytes of a request's body. */
export const bodyLimit = 4 * 1024 * 1024;

/** Any content type is read as JSON; an empty body is none, whatever its header says. GET and DELETE may have one. */
export const acceptBodies = (app: FastifyInstance): void => {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (request, body, done) => {
    const text = body.toString();
    const problem = problemOf(text, "The body");
    if (text.trim() === "") done(null, undefined);
    else if (problem) done(problem);
    else void parseJson(request, text, done);
  });
  app.addHttpMethod("GET", { hasBody: true, overrideExisting: true });
  app.addHttpMethod("DELETE", { hasBody: true, overrideExisting: true });
};
