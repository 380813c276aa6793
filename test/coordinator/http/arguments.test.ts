import fc from "fast-check";
import { expect, test } from "vitest";
import { readArguments } from "../../../coordinator/http/arguments.ts";
import { api } from "../../../shared/api.ts";
import { AppError } from "../../../shared/errors.ts";
import { holds, times } from "../../helpers/long.ts";

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
    times(3000, 1_000_000),
  ));
