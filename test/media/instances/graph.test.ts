import { describe, expect, test } from "vitest";
import { ancestorsOf, feedersOf } from "../../../media/instances/feeders.ts";
import { moveRun, nextToSkip, nextToStart } from "../../../media/instances/graph.ts";
import { restoreGraph, type StoredMove } from "../../../media/instances/restore.ts";
import { buildShape } from "../../../media/instances/shape.ts";
import { findUnhandledFailures } from "../../../media/instances/unhandled-failures.ts";
import type { GraphConnection } from "../../../shared/model/job-graph.ts";

const link = (from: string, success: string, error = ""): GraphConnection => ({
  from: [...from],
  success: [...success],
  error: [...error],
});

const once = (uid: string) => ({ uid, path: "" });

/** `a:succeeded b` — elements with their states, waiting where none is named. */
const graphOf = (text: string, connections: GraphConnection[]) => {
  const states = text.split(" ").map((each) => each.split(":"));
  const elements = states.map(([uid = ""]) => ({ uid, enumerates: false, effort: 10 }));
  return restoreGraph(buildShape(elements, connections), (instance) => {
    const state = states.find(([uid]) => uid === instance.uid)?.[1];
    return state === undefined ? undefined : { state: state as StoredMove["state"] }; // the test wrote a state's name
  });
};

/** Moves what can be moved until nothing more is decided; those that start stay planning. */
const settle = (text: string, connections: GraphConnection[]): string => {
  const graph = graphOf(text, connections);
  const notes = { undo: () => undefined, closed: () => undefined };
  for (;;) {
    const [skipped, started] = [nextToSkip(graph), nextToStart(graph)];
    if (skipped) moveRun(graph, { ...skipped, state: "skipped" }, notes);
    else if (started) moveRun(graph, { ...started, state: "planning" }, notes);
    else return [...graph.root.states].map(([uid, state]) => `${uid}:${state}`).join(" ");
  }
};

test("elements that nothing leads to start at once", () => {
  expect([...graphOf("a b c", [link("a", "b")]).toStart.entries.values()]).toEqual([once("a"), once("c")]);
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
  const { shape, root } = graphOf(text, connections);
  expect(findUnhandledFailures(shape, root).every(({ uid }) => uid !== "a")).toBe(handled);
});

test("assets flow along connections that fired", () => {
  const connections = [link("ab", "d"), link("c", "d"), link("a", "d")];
  const graph = graphOf("a:succeeded b:succeeded c:failed d", connections);
  expect(feedersOf(graph, once("d")).map(({ uid }) => uid)).toEqual(["a", "b"]);
});

test("what leads to an element is told from the nearest to the farthest, each once", () => {
  const connections = [
    { from: ["a"], success: ["b", "c"], error: [] },
    { from: ["b", "c"], success: ["d"], error: [] },
    { from: ["c"], success: [], error: ["d"] },
  ];
  const graph = graphOf("a b c d", connections);
  expect(ancestorsOf(graph, once("d")).map(({ uid }) => uid)).toEqual(["b", "c", "a"]);
  expect(ancestorsOf(graph, once("a"))).toEqual([]);
});
