import { expect, test } from "vitest";
import { commands } from "../../../cli/commands/index.ts";
import { distance, nearest } from "../../../shared/basics/nearest-name.ts";

const verbs = commands.map(({ name }) => name);

test.each([
  ["submt", "submit"],
  ["sumbit", "submit"],
  ["jbos", "jobs"],
  ["upp", "up"],
  ["log", "logs"],
  ["del", "delete"],
  ["mount", "mounts"],
  ["frobnicate", undefined],
  ["x", undefined],
])("%s probably means %s", (word, verb) => {
  expect(nearest(word, verbs)).toBe(verb);
});

test("nothing is near where there are no names", () => {
  expect(nearest("up", [])).toBeUndefined();
});

test.each([
  ["", "abc", 3],
  ["abc", "", 3],
  ["same", "same", 0],
  ["kitten", "sitting", 3],
  ["ab", "ba", 1],
])("from %j to %j are %i steps", (from, to, steps) => {
  expect(distance(from, to)).toBe(steps);
});
