import { blockerOf, type Outcome, sentenceOf } from "./outcome.ts";

export type Row = { readonly sample: string; readonly outcome: Outcome; readonly seconds: number };

/** How many samples ended in which way. */
export const countsOf = (rows: readonly Row[]): Readonly<Record<Outcome["kind"], number>> => {
  const count = (kind: Outcome["kind"]) => rows.filter(({ outcome }) => outcome.kind === kind).length;
  return { completed: count("completed"), refused: count("refused"), waits: count("waits"), failed: count("failed") };
};

export const totalLine = (rows: readonly Row[]): string => {
  const { completed, refused, waits, failed } = countsOf(rows);
  return `${completed} of ${rows.length} completed and checked, ${refused} refused, ${waits} wait for a later step, ${failed} failed`;
};

/** What stands in the way of which samples, the most frequent first. */
export const blockersOf = (rows: readonly Row[]): [blocker: string, samples: string[]][] => {
  const found = new Map<string, string[]>();
  for (const { sample, outcome } of rows) {
    if (outcome.kind !== "refused" && outcome.kind !== "waits") continue;
    const blocker = blockerOf(outcome.missing);
    found.set(blocker, [...(found.get(blocker) ?? []), sample]);
  }
  return [...found].sort(([, a], [, b]) => b.length - a.length);
};

/** One table of all samples and one of what blocks them. */
export const markdownOf = (rows: readonly Row[]): string =>
  [
    `${totalLine(rows)}.`,
    "",
    "| sample | outcome |",
    "| --- | --- |",
    ...rows.map(({ sample, outcome }) => `| ${sample} | ${cell(sentenceOf(outcome))} |`),
    "",
    "| missing | samples |",
    "| --- | --- |",
    ...blockersOf(rows).map(
      ([blocker, samples]) => `| ${cell(blocker)} | ${samples.length}: ${samples.map(short).join(", ")} |`,
    ),
    "",
  ].join("\n");

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s+/g, " ").slice(0, 400);
const short = (sample: string): string => (sample.split("/").at(-1) ?? sample).replace(/\.json$/, "");
