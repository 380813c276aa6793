import { expect, test } from "vitest";
import { convertSubtitles } from "../../../media/subtitles/convert.ts";
import { parseSubtitles } from "../../../media/subtitles/index.ts";
import type { FormName } from "../../../shared/work/subtitle-forms.ts";

const srt = (...texts: readonly string[]): string =>
  texts.map((text, at) => `${at + 1}\n00:00:0${at + 1},000 --> 00:00:0${at + 2},000\n${text}\n`).join("\n");

const converted = (form: FormName, ...texts: readonly string[]) =>
  convertSubtitles({
    source: { name: "file:///in/a.srt", label: "a.srt", bytes: new TextEncoder().encode(srt(...texts)) },
    ...{ form, stretch: { from: 0, to: 100_000 } },
  });

const wordsOf = (text: string) =>
  parseSubtitles(text).map(({ lines }) => lines.map((line) => line.map((span) => span.text).join("")).join("|"));

test.each([
  ["01", ["Привет, мир!", "Ещё раз — да"], ["Привет, мир!", "Ещё раз - да"]],
  ["02", ["مرحبا، بالعالم", "سلام (1)"], ["مرحبا، بالعالم", "سلام (1)"]],
  ["03", ["Καλημέρα κόσμε", "Ναι…"], ["Καλημέρα κόσμε", "Ναι..."]],
  ["04", ["שלום עולם", "כן, 5 < 6"], ["שלום עולם", "כן, 5 < 6"]],
  ["00", ["Größe, señor, Łódź", "naïve"], ["Größe, señor, Łódź", "naïve"]],
])("EBU STL has table %s for %j", (table, texts, read) => {
  const { text, told } = converted("stl", ...texts);
  expect(text.slice(12, 14)).toBe(table);
  expect(wordsOf(text)).toEqual(read);
  expect(told).toEqual([]);
});

test.each([
  ["stl", "a.srt: stl has no such letters as 👋 🏽, which 1 text lost"],
  ["scc", "a.srt: scc has no such letters as ש ל ו ם 👋 🏽, which 2 texts lost"],
  ["mcc", "a.srt: mcc has no such letters as ש ל ו ם 👋 🏽, which 2 texts lost"],
] as const)("letters that %s lacks are told", (form, words) => {
  expect(converted(form, "שלום", "Hi 👋🏽 café", "plain…").told).toEqual([words]);
});

test("rows and ends of words that CEA-608 has no room for are told", () => {
  const rows = "one\ntwo\nthree\nfour\nfive";
  expect(converted("scc", rows, "x".repeat(33), "x".repeat(32), "a b ".repeat(20)).told).toEqual([
    "a.srt: scc shows four rows of 32 letters, and 2 texts had more, which is cut off",
  ]);
  expect(converted("webvtt", rows, "שלום").told).toEqual([]);
});

test.each(["utf-16le", "utf-16be"])("%s is read without a mark too", (code) => {
  const plain = Buffer.from(srt("été", "שלום"), "utf16le");
  const bytes = code === "utf-16be" ? plain.swap16() : plain;
  const source = { name: "file:///in/a.srt", label: "a.srt", bytes };
  const made = convertSubtitles({ source, form: "webvtt", stretch: { from: 0, to: 100_000 } });
  expect(wordsOf(made.text)).toEqual(["été", "שלום"]);
});

test("letters that are guessed are told, and an XML says of itself what they are", () => {
  const read = (bytes: Uint8Array) => {
    const source = { name: "file:///in/a", label: "a", bytes };
    const { text, told } = convertSubtitles({ source, form: "webvtt", stretch: { from: 0, to: 100_000 } });
    return [wordsOf(text), told];
  };
  const words = "a: its letters are not UTF-8, and are read as windows-1252";
  expect(read(Buffer.from(srt("Größe"), "latin1"))).toEqual([["Größe"], [words]]);
  expect(read(Buffer.from(srt("plain")))).toEqual([["plain"], []]);
  const xml = (encoding: string) =>
    Buffer.from(
      `<?xml version="1.0" encoding="${encoding}"?><tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="2s">\xcc\xe8\xf0</p></div></body></tt>`,
      "latin1",
    );
  expect(read(xml("windows-1251"))).toEqual([["Мир"], []]);
  expect(read(xml("nothing-known"))).toEqual([["Ìèð"], [words]]);
  expect(read(xml("UTF-8"))).toEqual([["Ìèð"], [words]]);
});
