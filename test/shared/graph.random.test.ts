import { expect, test } from "vitest";
import { decide } from "../../shared/graph.ts";
import type { ElementRunState } from "../../shared/state/element-run.ts";
import { jobState } from "../../shared/state/job.ts";
import { randomFrom } from "../helpers/random.ts";
import { aRandomGraph, endOf, fatesOf } from "../helpers/random-graph.ts";

test.each([1, 2, 3, 4])("any graph with any outcomes, in any order, ends as its words say (seed %i)", (seed) => {
  const random = randomFrom(seed);
  const seen = new Set<string>();
  for (let nr = 0; nr < 500; nr += 1) {
    const graph = aRandomGraph(random, 14);
    const fails = new Set(graph.uids.filter(() => random.chance(0.3)));
    const states = new Map<string, ElementRunState>(graph.uids.map((uid) => [uid, "waiting"]));
    const elements = () => [...states].map(([uid, state]) => ({ uid, state }));
    for (;;) {
      const { start, skip } = decide(elements(), graph.connections);
      for (const uid of start) states.set(uid, "running");
      for (const uid of skip) states.set(uid, "skipped");
      const running = [...states].filter(([, state]) => state === "running").map(([uid]) => uid);
      if (running.length === 0) break;
      const uid = random.one(running);
      states.set(uid, fails.has(uid) ? "failed" : "succeeded");
    }
    const fates = fatesOf(graph, fails);
    expect(Object.fromEntries(states)).toEqual(Object.fromEntries(fates));
    const view = {
      isStopped: false,
      hasStarted: true,
      held: null,
      elements: elements(),
      connections: graph.connections,
      tasks: [],
    };
    const { status, substatus } = jobState(view);
    expect(`${status} ${substatus}`).toBe(endOf(graph, fates));
    seen.add(`${status} ${substatus}`);
  }
  expect([...seen].sort()).toEqual(["completed handled_errors", "completed null", "failed null"]);
});
