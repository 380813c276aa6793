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
  readonly coverage: Coverage;
};

export const newTotals = (): Totals => ({
  ...{ seeds: 0, faults: 0, simulatedMs: 0, events: 0, checks: 0, violations: 0 },
  ...{ byKind: new Map(), counts: new Map(), failed: [], coverage: createCoverage() },
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
  for (const kind of coverageKinds) for (const what of world.coverage.of(kind).keys()) totals.coverage.add(kind, what);
  for (const kind of faults) add(totals.byKind, kind);
  for (const [kind, n] of world.journal.counts) add(totals.counts, kind, n);
};

/** `cpuMs`: the processor time that it took. */
export const linesOf = (totals: Totals, cpuMs: number): string[] => {
  const of = (kind: string): number => totals.counts.get(kind) ?? 0;
  const hours = totals.simulatedMs / 3_600_000;
  const sorted = [...totals.byKind].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    `faults by kind, ${totals.faults} in all:`,
    ...sorted.map(([kind, n]) => `  ${n} ${kind}`),
    `${of("message")} messages, ${of("batch")} batches, ${of("killed")} killed, ${of("power_cut")} power cuts, ${of("boot")} starts`,
    ...linesOfCoverage(totals.coverage),
    `${totals.checks} invariant checks, ${totals.violations} violations`,
    `${totals.seeds} seeds, ${totals.events} events, ${hours.toFixed(2)} simulated hours in ${(cpuMs / 1000).toFixed(1)} s of one processor: ${Math.round(totals.simulatedMs / cpuMs)} times real time`,
  ];
};
