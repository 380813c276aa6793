import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLog } from "../../../agent/log.ts";
import { openLog } from "../../../coordinator/log.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { logFields } from "../../../shared/texts/log-fields.ts";

const root = join(import.meta.dirname, "../../..");
const sources = globSync("{coordinator,agent,electron,cli}/**/*.ts", { cwd: root });
const call = /\blog\.(?:debug|info|warn|error|child)\(/g;

/** The text of a bracket's inside, from the place behind it. */
const insideOf = (text: string, start: number): string => {
  let depth = 1;
  let at = start;
  for (; depth > 0 && at < text.length; at++)
    depth += "([{".includes(text[at] ?? "") ? 1 : ")]}".includes(text[at] ?? "") ? -1 : 0;
  return text.slice(start, at - 1);
};
/** The names of the object among a call's words: `{ node: id, why }`. */
const namesIn = (words: string): string[] => {
  const start = words.indexOf("{ ");
  if (start < 0) return [];
  let depth = 0;
  const parts = [""];
  for (const letter of insideOf(words, start + 1)) {
    depth += "([{".includes(letter) ? 1 : ")]}".includes(letter) ? -1 : 0;
    if (letter === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop()}${letter}`);
  }
  return parts.map((part) => /^\s*([\w$]+)/.exec(part)?.[1] ?? "").filter((name) => name !== "");
};
const written = sources.flatMap((file) => {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(call)].flatMap((found) =>
    namesIn(insideOf(text, found.index + found[0].length)).map((name) => [file, name] as const),
  );
});

test("every field that is written to a log is one of the documented set", () => {
  expect(written.length).toBeGreaterThan(70);
  const unknown = written.filter(([, name]) => name !== "err" && !(name in logFields)); // `err` is written as `error`
  expect(unknown).toEqual([]);
});

test("coordinator and agent write lines of one form", () => {
  const lines: string[] = [];
  const coordinator = openLog("info", { write: (line: string) => void lines.push(line) });
  const agent = createLog({ level: "info", clock: systemClock, write: (line) => void lines.push(line) }).child({
    part: "agent",
  });
  coordinator.error({ err: new Error("broken"), node: 7 }, "It failed");
  agent.error("It failed", { error: new Error("broken"), node: 7 });
  coordinator.error(new Error("alone"));
  const [one = {}, other = {}, alone = {}] = lines.map((line): Record<string, unknown> => JSON.parse(line));
  for (const line of [one, other]) {
    expect(line).toEqual({
      ...{ time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), level: "error", node: 7, message: "It failed" },
      ...{
        part: expect.stringMatching(/^(?:coordinator|agent)$/),
        error: expect.stringMatching(/^Error: broken\n +at /),
      },
    });
  }
  expect(alone).toMatchObject({ message: "alone", error: expect.stringMatching(/^Error: alone\n/) });
  expect(Object.keys(alone).filter((name) => !(name in logFields))).toEqual([]);
});
