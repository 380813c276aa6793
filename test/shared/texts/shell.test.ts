import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { powerShellWord, shellCommand, shellWord } from "../../../shared/texts/shell.ts";

const hostile = [
  "plain.mov",
  "two words.mov",
  "$(touch owned)",
  "`id`",
  "it's",
  "'; id; '",
  '"$HOME"',
  "-rf",
  "line\nbreak\n",
  "\n",
  "tab\tescape\u001b[201~\u0003",
  "carriage\rreturn",
  "\u202egpj.mov",
  "a\u2066b",
  "\\",
  "a\\'b",
  "*?[x]",
  "~",
  "!!",
  "",
  "日本",
  "%s%n",
  "&& id",
  "$'x'",
];

test.skipIf(process.platform === "win32").each(hostile)("a real shell takes %j as that one word", (name) => {
  const script = `for each in ${shellCommand([name, "end"])}; do printf '%s\\0' "$each"; done`;
  expect(execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0")).toEqual([name, "end", ""]);
});

test("what a terminal would take for a key, or what reorders text, is not in what is pasted", () => {
  const pasted = shellWord(hostile.join(""));
  expect(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(pasted)).toBe(false);
});

test("PowerShell's quotes, also the curved ones, are doubled", () => {
  expect(powerShellWord("D:\\films")).toBe("D:\\films");
  expect(powerShellWord("D:\\$(x) it's \u2019; id")).toBe("'D:\\$(x) it''s \u2019\u2019; id'");
});
