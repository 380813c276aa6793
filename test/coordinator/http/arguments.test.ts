import fc from "fast-check";
import { expect, test } from "vitest";
import type { z } from "zod";
import { readArguments } from "../../../coordinator/http/arguments.ts";
import { api } from "../../../shared/api/api.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import { cases, holds } from "../../helpers/long.ts";

const names = ["ids", "fields", "filters", "order", "skip", "__proto__", "constructor"];
const pieces = [
  "[",
  "]",
  "[]",
  "[0]",
  "[999999]",
  "[field]",
  "[values]",
  "=",
  "&",
  "%5B",
  "%",
  "%zz",
  "\u0000",
  ".",
  "{}",
];
const queryText = fc
  .array(fc.oneof(fc.constantFrom(...names, ...pieces), fc.string({ maxLength: 5, unit: "binary" })), { maxLength: 30 })
  .map((parts) => parts.join(""));

test("whatever stands in a query is read or refused, and touches no prototype", () =>
  holds(
    fc.property(queryText, (query) => {
      try {
        readArguments(query, undefined, api.listJobs.input);
      } catch (problem) {
        expect(problem).toBeInstanceOf(AppError);
      }
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
    cases(3000),
  ));

test.each([
  ["ampersands alone", "&"],
  ["one name again and again", "a&"],
  ["empty names", "=&"],
  ["elements of one array", "a[]&"],
  ["far elements of one array", "a[99999]=1&"],
  ["a name that is now a value and now an object", "a[b]=1&a=2&"],
])("a query of 64 kB is refused before it is parsed: %s", (_, piece) => {
  const query = piece.repeat(64_000 / piece.length);
  expect(() => readArguments(query, undefined, api.listJobs.input)).toThrow("more than 1000 parameters");
});

test("JSON within a query is as bounded as a body's", () => {
  const refused = (query: string, input: z.ZodType) => {
    try {
      return readArguments(query, undefined, input);
    } catch (problem) {
      return problem instanceof AppError ? problem.message : problem;
    }
  };
  const { listJobs, createJob } = api;
  const deep = "[".repeat(10_000) + "]".repeat(10_000);
  expect(refused(`ids=${deep}`, listJobs.input)).toBe("The query is nested deeper than 200 levels");
  expect(refused(`definitions={"a":${deep}}`, createJob.input)).toBe("The query is nested deeper than 200 levels");
  const forged = encodeURIComponent('{"__proto__": {"a": 1}}');
  expect(refused(`definitions=${forged}`, createJob.input)).toBe("The query names the prototype of an object");
  expect(refused(`filters=${forged}`, listJobs.input)).toBe("The query names the prototype of an object");
  const nul = encodeURIComponent('["\\u0000"]');
  expect(refused(`ids=${nul}`, listJobs.input)).toContain("NUL");
});

test("objects come as JSON text or in brackets, and text that is none stays text", () => {
  const read = (query: string) => readArguments(query, undefined, api.createJob.input);
  expect(read(`task_retry={"count":1}&definitions=${encodeURIComponent('{"a":{"b":[1]}}')}&payload=<xml/>`)).toEqual({
    task_retry: { count: 1 },
    definitions: { a: { b: [1] } },
    payload: "<xml/>",
  });
  expect(read("task_retry[count]=1&payload={no json&name={}")).toEqual({
    task_retry: { count: "1" },
    payload: "{no json",
    name: "{}",
  });
});
