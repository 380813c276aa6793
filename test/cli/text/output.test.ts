import { expect, test } from "vitest";
import { createOutput } from "../../../cli/terminal/output.ts";

const hostile = "a\x1b]0;owned\x07b\x1b[2Jc\x9b2Kd\u202Ee\r\x08f";

/** A terminal, and what was written to it. */
const aTerminal = (isJson: boolean) => {
  const written: string[] = [];
  const stream = { write: (text: string) => void written.push(text), isTerminal: true, columns: 80 };
  return { output: createOutput(isJson, { stdout: stream, stderr: stream, env: {} }), written };
};

const says = (isJson: boolean, say: (output: ReturnType<typeof createOutput>) => void): string => {
  const { output, written } = aTerminal(isJson);
  say(output);
  return written.join("");
};

/** Whatever a terminal obeys, except the colours and the cleared line of this program. */
const obeyed = (text: string): string[] =>
  [...text.replaceAll(/\r?\p{Control}\[(?:\d{1,2}m|K)/gu, "").matchAll(/[^\P{Control}\n\t]|[\u202a-\u202e]/gu)].map(
    ([found]) => JSON.stringify(found),
  );

test.each<[string, string]>([
  ["a text", says(false, ({ text }) => text(hostile))],
  ["an answer", says(false, ({ answer }) => answer({}, hostile))],
  ["an answer in JSON", says(true, ({ answer }) => answer({ name: hostile }, hostile))],
  ["a line of JSON", says(false, ({ json }) => json({ name: hostile }))],
  ["a problem", says(false, ({ problem }) => problem(hostile))],
  ["the live line", says(false, ({ live }) => live(hostile))],
  ["a table", says(false, ({ list }) => list([hostile], [{ title: "NAME", text: (row) => row }], "none"))],
])("nothing in %s makes a terminal do anything", (_what, written) => {
  expect(obeyed(written)).toEqual([]);
});

test("JSON says the same after it was made harmless", () => {
  expect(JSON.parse(says(true, ({ json }) => json({ name: hostile })))).toEqual({ name: hostile });
});

test("the program's own colours stay", () => {
  const { output, written } = aTerminal(false);
  output.text(output.paint("bad", "failed"));
  expect(written).toEqual(["\x1b[31mfailed\x1b[0m"]);
});
