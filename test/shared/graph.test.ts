import { describe, expect, test } from "vitest";
import { ancestorsOf, decide, feedersOf, findCycle, type GraphConnection, isHandled } from "../../shared/graph.ts";
import type { ElementRunState } from "../../shared/state/element-run.ts";

const link = (from: string, success: string, error = ""): GraphConnection => ({
  from: [...from],
  success: [...success],
  error: [...error],
});

/** `a:succeeded b` — elements with their states, `waiting` where none is named. */
const elements = (text: string) =>
  text.split(" ").map((each) => {
    const [uid = "", state = "waiting"] = each.split(":");
    return { uid, state: state as ElementRunState };
  });

/** Applies decisions until nothing more is decided; those that start stay planning. */
const settle = (text: string, connections: GraphConnection[]): string => {
  let states = elements(text);
  for (;;) {
    const { start, skip } = decide(states, connections);
    if (start.length + skip.length === 0) return states.map(({ uid, state }) => `${uid}:${state}`).join(" ");
    states = states.map(({ uid, state }) => ({
      uid,
      state: start.includes(uid) ? "planning" : skip.includes(uid) ? "skipped" : state,
    }));
  }
};

test("elements that nothing leads to start at once", () => {
  expect(decide(elements("a b c"), [link("a", "b")])).toEqual({ start: ["a", "c"], skip: [] });
});

test("a success starts the success set and skips the error set", () => {
  expect(settle("a:succeeded b c", [link("a", "b", "c")])).toBe("a:succeeded b:planning c:skipped");
});

test("a failure starts the error set and skips the success set", () => {
  expect(settle("a:failed b c", [link("a", "b", "c")])).toBe("a:failed b:skipped c:planning");
});

describe("a join", () => {
  const join = [link("ab", "d", "e")];

  test("waits for all", () => {
    expect(settle("a:succeeded b:running d e", join)).toBe("a:succeeded b:running d:waiting e:waiting");
    expect(settle("a:failed b:planning d e", join)).toBe("a:failed b:planning d:waiting e:waiting");
  });

  test("fires success when all that ran succeeded", () => {
    expect(settle("a:succeeded b:skipped d e", join)).toBe("a:succeeded b:skipped d:planning e:skipped");
  });

  test("fires error when any failed", () => {
    expect(settle("a:succeeded b:failed d e", join)).toBe("a:succeeded b:failed d:skipped e:planning");
  });

  test("of several connections starts when one of them fired", () => {
    expect(settle("a:succeeded b:failed d", [link("a", "d"), link("b", "d")])).toBe("a:succeeded b:failed d:planning");
  });

  test("of several connections waits until all are decided", () => {
    expect(settle("a:succeeded b:running d", [link("a", "d"), link("b", "d")])).toBe("a:succeeded b:running d:waiting");
  });
});

test("skipping spreads to the end", () => {
  const chain = [link("a", "b"), link("b", "c"), link("c", "d", "e")];
  expect(settle("a:failed b c d e", chain)).toBe("a:failed b:skipped c:skipped d:skipped e:skipped");
});

test("an element that stands in both sets starts either way", () => {
  expect(settle("a:failed b", [link("a", "b", "b")])).toBe("a:failed b:planning");
  expect(settle("a:succeeded b", [link("a", "b", "b")])).toBe("a:succeeded b:planning");
});

test.each([
  ["its error set ran to completion", "a:failed c:succeeded d:succeeded", [link("a", "", "cd")], true],
  ["part of its error set failed", "a:failed c:succeeded d:failed", [link("a", "", "cd")], false],
  ["its error set still runs", "a:failed c:running d:succeeded", [link("a", "", "cd")], false],
  ["it has no error set", "a:failed b:skipped", [link("a", "b")], false],
  [
    "one of its connections has a complete error set",
    "a:failed b c:succeeded",
    [link("a", "b"), link("a", "", "c")],
    true,
  ],
  ["another one's error set ran", "a:failed b:failed c:succeeded", [link("b", "", "c")], false],
])("a failure is handled or not when %s", (_, text, connections, handled) => {
  expect(isHandled("a", elements(text), connections)).toBe(handled);
});

test("assets flow along connections that fired", () => {
  const connections = [link("ab", "d"), link("c", "d"), link("a", "d")];
  expect(feedersOf("d", elements("a:succeeded b:succeeded c:failed d"), connections)).toEqual(["a", "b"]);
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

test("what leads to an element is told from the nearest to the farthest, each once", () => {
  const connections = [
    { from: ["a"], success: ["b", "c"], error: [] },
    { from: ["b", "c"], success: ["d"], error: [] },
    { from: ["c"], success: [], error: ["d"] },
  ];
  expect(ancestorsOf("d", connections)).toEqual(["b", "c", "a"]);
  expect(ancestorsOf("a", connections)).toEqual([]);
});
