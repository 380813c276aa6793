import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluate } from "../../../media/expressions/evaluator.ts";
import { printForFfmpeg } from "../../../media/expressions/ffmpeg.ts";
import { parseExpression } from "../../../media/expressions/parser.ts";
import { seed, times } from "../../helpers/long.ts";
import { ffmpeg, ffmpegPath } from "../../helpers/media/media-tools.ts";

const title = `ffmpeg's evaluator${ffmpegPath === undefined ? " (skipped: there is no ffmpeg)" : ""}`;

/** Names that a generator of sound knows: its rate, and the number of the sample, which is 0 for the first. */
const variables = { rate: "s", number: "n" };
const known = { rate: 8000, number: 0 };
const scope = { source: { video: { width: 1920 } } };

/** What ffmpeg makes of expressions: each is one channel of a sound of a single sample, written as a double. */
const evaluatedByFfmpeg = async (texts: readonly string[]): Promise<number[]> => {
  const printed = texts.map((text) => printForFfmpeg(parseExpression(text), scope, variables));
  const quoted = `'${printed.join("|")}'`;
  const source = `aevalsrc=exprs=${quoted}:s=8000:d=0.000125`;
  const raw = await ffmpeg(["-v", "error", "-f", "lavfi", "-i", source, "-c:a", "pcm_f64le", "-f", "f64le", "-"]);
  return texts.map((_, index) => raw.readDoubleLE(index * 8));
};

const table = [
  ...[
    "rate",
    "-rate",
    "rate / 3 + 1",
    "rate - 10 - 5",
    "2 ^ 3 ^ 2 + rate",
    "-2 ^ 2 * rate",
    "(rate + 7) % 9",
    "-rate % 7",
  ],
  ...[
    "round(rate / 3)",
    "round(-rate / 16000)",
    "round(rate / 7, 2)",
    "floor(-rate / 3)",
    "ceil(rate / 3)",
    "trunc(-rate / 3)",
  ],
  ...[
    "abs(-rate)",
    "sqrt(rate)",
    "min(rate, 3, 5)",
    "max(1, rate, 5)",
    "rate > 10 ? 1 : 2",
    "number ? 1 : 2",
    "!rate",
    "!number",
  ],
  ...["rate == 8000", "rate != 8000", "rate < 1 || rate >= 8000", "rate && number", "source.video.width / 2 - rate"],
];

const number = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("rate", "number", "3", "0.25", "17", "source.video.width"),
    fc
      .tuple(tie("tree"), fc.constantFrom("+", "-", "*", "/", "%"), tie("tree"))
      .map(([left, sign, right]) => `(${left} ${sign} ${right})`),
    fc
      .tuple(tie("tree"), fc.constantFrom("<", "<=", ">", ">=", "==", "!="), tie("tree"), tie("tree"), tie("tree"))
      .map(([left, sign, right, yes, no]) => `(${left} ${sign} ${right} ? ${yes} : ${no})`),
    tie("tree").map((part) => `-round(${part})`),
    fc.tuple(tie("tree"), tie("tree")).map(([left, right]) => `max(${left}, ${right})`),
  ),
})).tree;

describe.skipIf(ffmpegPath === undefined)(title, () => {
  test("comes to what ours does", async () => {
    const found = await evaluatedByFfmpeg(table);
    const ours = table.map((text) => Number(evaluate(parseExpression(text), { ...scope, ...known })));
    expect(Object.fromEntries(table.map((text, index) => [text, found[index]]))).toEqual(
      Object.fromEntries(table.map((text, index) => [text, ours[index]])),
    );
  });

  test("comes to what ours does for any expression of numbers", async () => {
    const rounds = times(1, 5, 500);
    const texts = fc.sample(number, { numRuns: rounds * 20, seed });
    for (let from = 0; from < texts.length; from += 20) {
      // What has no value here is not a number there.
      const some = texts.slice(from, from + 20).filter((text) => isPrintable(text));
      const found = await evaluatedByFfmpeg(some);
      for (const [index, text] of some.entries()) {
        const ours = evaluate(parseExpression(text), { ...scope, ...known });
        if (typeof ours === "number") expect(found[index], `${text}, MEDIAFARM_SEED=${seed}`).toBeCloseTo(ours, 6);
      }
    }
  });
});

/** A part without names that divides by zero has no value: it is refused before ffmpeg sees it. */
const isPrintable = (text: string): boolean => {
  try {
    return printForFfmpeg(parseExpression(text), scope, variables).length < 4000;
  } catch {
    return false;
  }
};
