import { checkpointNames as agentMoments } from "../../agent/checkpoint.ts";
import { checkpointNames as coordinatorMoments } from "../../coordinator/checkpoint.ts";
import { agentMessage, coordinatorMessage } from "../../shared/protocol/messages.ts";
import { attemptMachine } from "../../shared/state/attempt.ts";
import { elementRunMachine } from "../../shared/state/element-run.ts";
import type { Machine } from "../../shared/state/machine.ts";
import { taskMachine } from "../../shared/state/task.ts";
import { faults } from "./world/faults.ts";
import { jobKinds } from "./world/jobs.ts";

/** What the seeds reached, by what is counted. */
export const coverageKinds = ["jobs", "states", "messages", "crash points", "fault pairs"] as const;
export type CoverageKind = (typeof coverageKinds)[number];

export type Coverage = {
  readonly add: (kind: CoverageKind, what: string) => void;
  readonly of: (kind: CoverageKind) => ReadonlyMap<string, number>;
};

export const createCoverage = (): Coverage => {
  const counts = new Map<CoverageKind, Map<string, number>>(coverageKinds.map((kind) => [kind, new Map()]));
  return {
    of: (kind) => counts.get(kind) ?? new Map(),
    add: (kind, what) => {
      const all = counts.get(kind);
      all?.set(what, (all.get(what) ?? 0) + 1);
    },
  };
};

/** All that could be reached. */
export const reachable: Readonly<Record<CoverageKind, () => readonly string[]>> = {
  jobs: () => jobKinds.map(({ kind }) => kind),
  states: () => [
    ...movesOf("task", taskMachine),
    ...movesOf("attempt", attemptMachine),
    ...movesOf("element", elementRunMachine),
  ],
  messages: () => [...kindsOf(agentMessage, "up"), ...kindsOf(coordinatorMessage, "down")],
  "crash points": () => [
    ...coordinatorMoments.map((moment) => `coordinator at ${moment}`),
    ...agentMoments.map((moment) => `agent at ${moment}`),
  ],
  "fault pairs": () => {
    const kinds = faults.filter(({ lastsMs }) => lastsMs > 0).map(({ kind }) => kind);
    return kinds.flatMap((one, at) => kinds.slice(at + 1).map((other) => pairOf(one, other)));
  },
};

export const pairOf = (one: string, other: string): string => [one, other].sort().join(" + ");

const movesOf = (name: string, machine: Machine<string, string>): string[] =>
  Object.entries(machine).flatMap(([from, moves]) => [
    ...new Set(Object.values(moves).flatMap((to) => (to === from ? [] : [`${name} ${from} → ${to}`]))),
  ]);

type Union = { readonly options: readonly { readonly shape: { readonly type: { readonly value: string } } }[] };

const kindsOf = (schema: unknown, way: string): string[] =>
  (schema as Union).options.map(({ shape }) => `${way} ${shape.type.value}`); // every message is an object with a literal type

/** How much was reached, and what was not. */
export const linesOfCoverage = (coverage: Coverage): string[] =>
  coverageKinds.flatMap((kind) => {
    const [all, reached] = [reachable[kind](), coverage.of(kind)];
    const missing = all.filter((each) => !reached.has(each));
    const shown = kind === "fault pairs" ? missing.slice(0, 5) : missing;
    const rest = missing.length - shown.length;
    const words =
      missing.length === 0 ? "" : `; not reached: ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
    return [`${kind}: ${all.length - missing.length} of ${all.length}${words}`];
  });
