import { describe, expect, test } from "vitest";
import { type Column, formatTable } from "../../../cli/text/table.ts";
import { cut, plain, plainLines, widthOf } from "../../../cli/text/width.ts";

type Row = { id: string; name: string; note: string };
const columns: readonly Column<Row>[] = [
  { title: "ID", text: ({ id }) => id, align: "right" },
  { title: "NAME", text: ({ name }) => name, shrinks: true },
  { title: "NOTE", text: ({ note }) => note, shrinks: true },
];
const row = (name: string, note = "", id = "7"): Row => ({ id, name, note });
const linesOf = (rows: readonly Row[], width = Number.POSITIVE_INFINITY) =>
  formatTable(columns, rows, width).trimEnd().split("\n");

test("columns are as wide as what they hold, and nothing hangs over at the right", () => {
  expect(linesOf([row("a film", "", "12"), row("b", "late")])).toEqual([
    "ID  NAME    NOTE",
    "12  a film",
    " 7  b       late",
  ]);
});

test("the widest columns give way first, down to the terminal's width", () => {
  const lines = linesOf([row("a rather long name of a film", "short")], 24);
  expect(lines).toEqual(["ID  NAME           NOTE", " 7  a rather lon…  short"]);
  expect(lines.every((line) => widthOf(line) <= 24)).toBe(true);
});

test("a terminal of no width at all still gets its ids", () => {
  expect(linesOf([row("a rather long name", "a rather long note")], 4)[1]).toBe(" 7  a rat…  a rat…");
});

test.each([
  ["日本語の長い名前のジョブ", 11],
  ["👩‍👩‍👧‍👦 family 👍🏽", 12],
  ["שלום עולם ארוך מאוד", 8],
  ["e\u0301te\u0301 a\u0300 la mer", 7],
])("%s never makes a line wider than it may be", (name, width) => {
  const [, line = ""] = linesOf([row(name, "x")], 4 + width + 3);
  expect(widthOf(line)).toBeLessThanOrEqual(4 + width + 3);
  expect(line.endsWith("  x")).toBe(true);
});

test("paint touches cells of rows only, after they have their width", () => {
  const painted = columns.map((column) => ({ ...column, paint: (text: string) => `<${text}>` }));
  expect(formatTable(painted, [row("a", "b")], 80)).toBe("ID  NAME  NOTE\n< 7>  <a   >  <b>\n");
});

describe("widths", () => {
  test.each([
    ["abc", 3],
    ["日本", 4],
    ["e\u0301", 1],
    ["👩‍👩‍👧‍👦", 2],
    ["✓ Done", 6],
    ["\u2068שלום\u2069", 4],
  ])("%j takes %i columns", (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  test.each([
    ["abcdef", 4, "abc…"],
    ["日本語", 4, "日…"],
    ["ab", 2, "ab"],
    ["ab cd", 4, "ab…"],
    ["abc", 0, ""],
  ])("%j cut to %i columns is %j", (text, columns, short) => {
    expect(cut(text, columns)).toBe(short);
  });
});

describe("other people's words", () => {
  test("cannot colour the terminal, move its cursor or turn its direction", () => {
    expect(plain("a\x1b[31mred\r\n\tb\u202Ec\u0007")).toBe("a [31mred bc ");
    expect(plainLines("a\x1b[2Jb\r\nc\td\x9b")).toBe("a�[2Jb\nc\td�");
  });

  test("that run from right to left are fenced in", () => {
    expect(plain("שלום")).toBe("\u2068שלום\u2069");
    expect(plain("שלום\u2069")).toBe("\u2068שלום\u2069");
  });
});
