import type { ChaosResult } from "./chaos.ts";

/** What people read of runs with several seeds. */
export const reportOf = (results: readonly ChaosResult[]): string[] => {
  const count = (what: keyof ChaosResult["findings"]) => sum(results.map(({ findings }) => findings[what].length));
  const outages = results.flatMap((result) => result.outages);
  const afterLease = results.flatMap((result) => result.afterLease);
  const kinds = new Set(results.flatMap((result) => Object.keys(result.kinds)));
  const inAll = outages.filter(({ takes }) => takes).map(({ ms }) => ms);
  return [
    `${outages.length} faults of ${kinds.size} kinds over ${results.length} seeds; ${sum(results.map(({ jobs }) => jobs))} jobs, ${sum(results.map(({ batches }) => batches))} batches`,
    `${count("lost")} lost, ${count("twice")} twice, ${count("partial")} partial, ${count("interleaved")} interleaved, ${count("unended")} not ended, ${count("said")} wrong words`,
    `take-overs, from the end of the lease to the first batch (${afterLease.length}): ${spread(afterLease)}`,
    `take-overs in all, as clients see it (${inAll.length}): ${spread(inAll)}`,
    ...[...kinds].sort().map((kind) => {
      const own = outages.filter(({ fault }) => fault === kind).map(({ ms }) => ms);
      return `  ${kind} (${own.length}): ${spread(own)}`;
    }),
  ];
};

const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);

const spread = (all: readonly number[]): string => {
  if (all.length === 0) return "none";
  const sorted = all.toSorted((one, other) => one - other);
  const at = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
};

export const isClean = ({ findings }: ChaosResult): boolean =>
  Object.values(findings).every((found) => found.length === 0);
