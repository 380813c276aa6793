import { describe, expect, test } from "vitest";
import { findCycle, type GraphConnection } from "../../shared/graph.ts";

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
