import type { FastifyInstance, FastifyRequest } from "fastify";
import type { TimeSlice } from "../kernel/time-slice.ts";
import { findJsonProblem } from "./parse-json.ts";

/** The bytes of a request's body. */
export const bodyLimit = 4 * 1024 * 1024;

/**
 * Any content type is read as JSON; an empty body means none, whatever its header says. GET and DELETE may have a body.
 */
export const acceptBodies = (app: FastifyInstance, timeSlice: TimeSlice): void => {
  const parseJson = app.getDefaultJsonParser("error", "error");
  const requireSound = (text: string): void => {
    const problem = findJsonProblem(text, "The body");
    if (problem) throw problem;
  };
  const read = (request: FastifyRequest, text: string): unknown => {
    let found: { problem: Error | null; body?: unknown } | undefined;
    void parseJson(request, text, (problem, body) => {
      found = { problem, body };
    });
    if (found?.problem) throw found.problem;
    return found?.body;
  };
  app.removeAllContentTypeParsers();
  // Types named besides "*" are found without parsing the header again.
  app.addContentTypeParser(
    ["application/json", "*"],
    { parseAs: "string" },
    async (request: FastifyRequest, body: string) => {
      if (body.trim() === "") return undefined;
      // A large one takes long to look at, and longer to read.
      await timeSlice(() => requireSound(body), body.length);
      return timeSlice(() => read(request, body), body.length);
    },
  );
  app.addHttpMethod("GET", { hasBody: true, overrideExisting: true });
  app.addHttpMethod("DELETE", { hasBody: true, overrideExisting: true });
};
