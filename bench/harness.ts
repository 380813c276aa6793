import { baselineKey, baselines, tolerance } from "./references/baselines.ts";
import { type Summary, summarise } from "./statistics.ts";

/** One number that a bench found: a ratio against a reference that ran in the same minutes on the same machine. */
export type Measure = {
  readonly name: string;
  /** What the ratio divides by. */
  readonly reference: string;
  /** One ratio a pair. */
  readonly ratios: readonly number[];
  /** The median should be at most this; absent: told without judging. */
  readonly target?: number;
};

export type BenchOptions = {
  /** Fewer pairs and smaller work: shows that the bench runs, proves nothing. */
  readonly isQuick: boolean;
  /** How many pairs; undefined: as many as the bench wants. */
  readonly pairs: number | undefined;
  /** What goes on, for the people who wait. */
  readonly say: (text: string) => void;
};

/** One bench a file: `run` gives what it measured, or throws. */
export type Bench = {
  readonly name: string;
  readonly run: (options: BenchOptions) => Promise<Measure[]>;
};

/** Runs every leg once a round, each round beginning with another one, so that drift and caches favour none. */
export const interleave = async <K extends string, T>(
  rounds: number,
  legs: { readonly [name in K]: (round: number) => Promise<T> },
): Promise<Record<K, T>[]> => {
  const names = Object.keys(legs) as K[]; // Object.keys forgets whose keys they are
  const results: Record<K, T>[] = [];
  for (let round = 0; round < rounds; round++) {
    const found: Partial<Record<K, T>> = {};
    for (const name of rotated(names, round)) found[name] = await legs[name](round);
    results.push(found as Record<K, T>); // each name was run above
  }
  return results;
};

const rotated = <T>(list: readonly T[], by: number): T[] => {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
};

export type Line = Summary & {
  readonly bench: string;
  readonly measure: string;
  readonly reference: string;
  readonly pairs: number;
  readonly ratios: readonly number[];
  readonly target: number | null;
  /** Null where there is no target. */
  readonly isMet: boolean | null;
  /** The median that was recorded; null where none was. */
  readonly baseline: number | null;
  /** Its target is missed, and by more than it was when the baseline was recorded. */
  readonly isRegression: boolean;
};

/** A measure as it is written down: its median, its spread, whether the target is met, and whether that is news. */
export const lineOf = (bench: string, { name, reference, ratios, target }: Measure, known = baselines): Line => {
  const summary = summarise(ratios);
  const isMet = target === undefined ? null : summary.median <= target;
  const baseline = known[baselineKey(bench, name, reference)] ?? null;
  // What was never recorded is no worse than before.
  const isRegression = isMet === false && baseline !== null && summary.median > baseline * (1 + tolerance);
  return {
    ...{ bench, measure: name, reference, pairs: ratios.length, ...summary, ratios, target: target ?? null },
    ...{ isMet, baseline, isRegression },
  };
};

const verdictOf = ({ isMet, isRegression, baseline }: Line): string => {
  if (isMet === null) return "";
  if (isMet) return "met";
  if (isRegression) return "REGRESSION";
  return baseline === null ? "missed, no baseline" : "missed as before";
};

/** Lines as a table for people; `--json` gives the same as one JSON document a line. */
export const tableOf = (lines: readonly Line[]): string => {
  const rows = [["bench", "measure", "against", "pairs", "median", "quartiles", "min..max", "target", "baseline", ""]];
  for (const line of lines) {
    rows.push([
      ...[line.bench, line.measure, line.reference, String(line.pairs), short(line.median)],
      `${short(line.quartiles[0])}..${short(line.quartiles[1])}`,
      `${short(line.min)}..${short(line.max)}`,
      line.target === null ? "-" : `<= ${line.target}`,
      line.baseline === null ? "-" : short(line.baseline),
      verdictOf(line),
    ]);
  }
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
};

const short = (ratio: number): string => ratio.toFixed(ratio < 10 ? 3 : 1);
