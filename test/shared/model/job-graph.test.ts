import { describe, expect, test } from "vitest";
import { findCycle, type GraphConnection, withErrorsOfSources } from "../../../shared/model/job-graph.ts";

const link = (from: string, success: string, error = ""): GraphConnection => ({
  from: [...from],
  success: [...success],
  error: [...error],
});

describe("cycles", () => {
  test.each([
    ["a", [link("a", "a")], ["a", "a"]],
    ["two", [link("a", "b"), link("b", "", "a")], ["a", "b", "a"]],
    [
      "three, entered from aside",
      [link("x", "a"), link("a", "b"), link("b", "c"), link("c", "a")],
      ["a", "b", "c", "a"],
    ],
  ])("of %s are found and named", (_, connections, cycle) => {
    expect(findCycle(connections)).toEqual(cycle);
  });

  test("are not seen where ways only meet again", () => {
    expect(findCycle([link("a", "bc"), link("b", "d"), link("c", "d"), link("a", "d")])).toBeUndefined();
  });

  test("are looked for in chains of thousands", () => {
    const chain = [...Array(5000).keys()].map((n) => ({ from: [`${n}`], success: [`${n + 1}`], error: [] }));
    expect(findCycle(chain)).toBeUndefined();
  });
});

describe("a missing source", () => {
  const sources = new Set(["s", "p"]);

  test("takes the error branches of the elements that it feeds", () => {
    const connections = [link("s", "ab"), link("a", "c", "x"), link("b", "d", "xy"), link("c", "e", "z")];
    expect(withErrorsOfSources(connections, sources)).toEqual([link("s", "ab", "xy"), ...connections.slice(1)]);
  });

  test("keeps its own error branch, and one beside other elements changes nothing", () => {
    const connections = [link("s", "a", "o"), link("pc", "a"), link("a", "b", "x")];
    expect(withErrorsOfSources(connections, sources)).toEqual(connections);
  });
});
