import { selectNames } from "../../agent/paths/name-selection.ts";
import { evaluate } from "../../media/expressions/evaluator.ts";
import { parseExpression } from "../../media/expressions/parser.ts";
import type { Attack, Random, Tally } from "./attack.ts";

/** What one thing that a job names may take, before others notice. Generous: the machine may be busy. */
const mostMs = 2000;

const pieces = [
  "(",
  ")",
  "1",
  "+",
  "-",
  "*",
  "/",
  "^",
  "%",
  "!",
  "<",
  ">=",
  "&&",
  "||",
  "?",
  ":",
  ",",
  "'a'",
  '"',
  "\\",
];
const more = ["source.video.width", "max(", "min(", "abs(", "a.b.c", "[", "]", "{", "}", "1e999", "0x", "\0", "é", " "];

const anExpression = (random: Random): string => {
  const length = random.one([5, 50, 500, 4000]);
  const one = random.one([...pieces, ...more]);
  const next = (): string => (random.chance(0.7) ? one : random.one([...pieces, ...more]));
  return Array.from({ length }, next).join("");
};

const evil = ["(a+)+$", "(a|aa)+$", "(a*)*b", "(?:a?){40}a{40}", "(.*)*x", "([a-z]+)*!", "(\\w+\\s?)+$", "(x+x+)+y"];

const aRegex = (random: Random): string =>
  Array.from({ length: random.integer(1, 3) }, () => random.one(evil)).join(random.one(["", "|", ".*"]));

/** Conditions and patterns of jobs that take for ever, nest without end, or mean nothing. */
export const expressions: Attack = {
  name: "expressions (ReDoS)",
  run: async ({ random, tries }) => [
    timed("conditions and numbers", tries * 20, () => {
      const text = anExpression(random);
      return [text, () => evaluate(parseExpression(text), { source: { video: { width: 1920 } } })];
    }),
    timed("patterns of names", Math.max(2, Math.floor(tries / 4)), () => {
      const regex = aRegex(random);
      const names = Array.from(
        { length: 20 },
        () => `${random.one(["a", "x", "word "]).repeat(random.integer(20, 60))}!`,
      );
      return [regex, () => selectNames(names, { pattern: { regex }, isRecursive: false })];
    }),
  ],
};

const timed = (what: string, tried: number, next: () => readonly [text: string, act: () => unknown]): Tally => {
  const fell: string[] = [];
  for (let nr = 0; nr < tried; nr++) {
    const [text, act] = next();
    const begun = performance.now();
    try {
      act();
    } catch (error) {
      if (error instanceof RangeError) fell.push(`${text.slice(0, 60)}: ${error.message}`);
    }
    if (performance.now() - begun > mostMs)
      fell.push(`${text.slice(0, 60)} took ${Math.round(performance.now() - begun)} ms`);
  }
  return { what, tried, fell };
};
