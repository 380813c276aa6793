import type { Line } from "./engine/journal.ts";
import type { Outcome } from "./world/story.ts";

const most = 12;
/** What decides who knows what: a reader needs these first. */
const weights: Readonly<Record<string, number>> = {
  violation: 100,
  killed: 8,
  power_cut: 8,
  fault: 4,
  healed: 3,
  gave_up: 3,
  fate: 4,
  boot: 2,
  message: 2,
  knows: 3,
  submitted: 2,
  wished: 3,
};

/** The story of a violation in a dozen lines: what went wrong, and what each machine was told of what it is about. */
export const explain = ({ world, violations }: Outcome): string[] => {
  const [violation] = violations;
  if (!violation) return ["Nothing was violated."];
  const lines = world.journal.lines().filter(({ at }) => at <= violation.at);
  const subjects = subjectsOf(violation.what, lines);
  const scored = lines.map((line, at) => ({ line, at, score: scoreOf(line, subjects) + at / lines.length }));
  const chosen = scored
    .filter(({ score }) => score >= 3)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .sort((a, b) => a.at - b.at);
  return chosen.map(({ line }) => sayLine(line));
};

/** Words by which a line is recognised as one of the story: the job, its tasks, its attempts. */
const subjectsOf = (what: string, lines: readonly Line[]): ReadonlySet<string> => {
  const found = new Set(what.match(/job-\d+|#\d+|job \d+|task \d+|key-\d+/g) ?? []);
  const fence = /\b\d{6,}[.:](\d+)\b/.exec(what)?.[1];
  if (fence !== undefined) found.add(`#${fence}`);
  // What is named beside a subject is one too: "assign #12 task 5 job-3".
  for (const { kind, what: said } of lines) {
    if (kind !== "knows") continue;
    const words = said.match(/job-\d+|#\d+|task \d+/g) ?? [];
    if (words.some((word) => found.has(word))) for (const word of words) found.add(word);
  }
  return found;
};

const scoreOf = ({ kind, what }: Line, subjects: ReadonlySet<string>): number => {
  const words = what.match(/job-\d+|#\d+|job \d+|task \d+|key-\d+/g) ?? [];
  const isAbout = words.some((word) => subjects.has(word));
  return (weights[kind] ?? 0) + (isAbout ? 5 : 0);
};

const sayLine = ({ at, who, kind, what }: Line): string =>
  `${(at / 1000).toFixed(3).padStart(10)} s  ${who}: ${kind.replace("_", " ")} ${what}`.trimEnd();
