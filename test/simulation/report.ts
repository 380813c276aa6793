import { type Coverage, coverageKinds, createCoverage, linesOfCoverage } from "./coverage.ts";
import type { Outcome } from "./world/story.ts";

/** What is printed of some seeds together. */
export type Totals = {
  seeds: number;
  faults: number;
  simulatedMs: number;
  events: number;
  checks: number;
  violations: number;
  readonly byKind: Map<string, number>;
  readonly counts: Map<string, number>;
  readonly failed: number[];
  /** How long after the end of a lease another coordinator led. */
  readonly takeoverMs: number[];
  readonly coverage: Coverage;
};

export const newTotals = (): Totals => ({
  ...{ seeds: 0, faults: 0, simulatedMs: 0, events: 0, checks: 0, violations: 0 },
  ...{ byKind: new Map(), counts: new Map(), failed: [], takeoverMs: [], coverage: createCoverage() },
});

const add = (counts: Map<string, number>, key: string, by = 1): void => {
  counts.set(key, (counts.get(key) ?? 0) + by);
};

export const count = (
  totals: Totals,
  { choice, faults, simulatedMs, events, checks, violations, world }: Outcome,
): void => {
  totals.seeds += 1;
  totals.faults += faults.length;
  totals.simulatedMs += simulatedMs;
  totals.events += events;
  totals.checks += checks;
  totals.violations += violations.length;
  if (violations.length > 0) totals.failed.push(choice.seed);
  totals.takeoverMs.push(...world.takeoverMs);
  for (const kind of coverageKinds) for (const what of world.coverage.of(kind).keys()) totals.coverage.add(kind, what);
  for (const kind of faults) add(totals.byKind, kind);
  for (const [kind, n] of world.journal.counts) add(totals.counts, kind, n);
};

/** `cpuMs`: the processor time that it took. */
export const linesOf = (totals: Totals, cpuMs: number): string[] => [
  ...tableOf(totals, cpuMs),
  ...linesOfCoverage(totals.coverage),
];

/** Of farms with several coordinators. */
const takeoversOf = ({ takeoverMs }: Totals): (readonly [string, number | string])[] => {
  if (takeoverMs.length === 0) return [];
  const sorted = takeoverMs.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
  return [
    ["takeovers", sorted.length],
    ["  half of them within ms of the lease's end", at(0.5)],
    ["  99 of 100 within ms", at(0.99)],
  ];
};

const tableOf = (totals: Totals, cpuMs: number): string[] => {
  const of = (kind: string): number => totals.counts.get(kind) ?? 0;
  const kinds = [...totals.byKind].sort(([a], [b]) => (a < b ? -1 : 1));
  const rows: readonly (readonly [string, number | string])[] = [
    ["seeds", totals.seeds],
    ["simulated days", (totals.simulatedMs / 86_400_000).toFixed(3)],
    ["seconds of one processor", (cpuMs / 1000).toFixed(1)],
    ["times real time", Math.round(totals.simulatedMs / cpuMs)],
    ["events", totals.events],
    ["messages", of("message")],
    ["batches of the store", of("batch")],
    ["programs killed", of("killed")],
    ["power cuts", of("power_cut")],
    ["starts", of("boot")],
    ...takeoversOf(totals),
    ["faults", totals.faults],
    ...kinds.map(([kind, n]) => [`  ${kind}`, n] as const),
    ["invariant checks", totals.checks],
    ["violations", totals.violations],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${String(value).padStart(9)}`);
};
