import { expect, test } from "vitest";
import { forms, parseSubtitles } from "../../../media/subtitles/index.ts";

const cue = (...lines: readonly (readonly object[])[]) => [{ from: 1000, to: 3000, lines: lines as never }];
const linesOf = (text: string) => parseSubtitles(text).map(({ lines }) => lines);

test("what stands in angle brackets in SRT and is no tag is text", () => {
  const text = "1\n00:00:01,000 --> 00:00:02,000\n<sigh> 5 < 6 <i>it</i> <3\n";
  expect(linesOf(text)).toEqual([[[{ text: "<sigh> 5 < 6 " }, { text: "it", italic: true }, { text: " <3" }]]]);
});

test("tags of ASS in SRT are looks and places, and braces without them are text", () => {
  const text = "1\n00:00:01,000 --> 00:00:02,000\n{\\an8\\i1}slanted{\\i0} {a} {\\c&H0000ff&}red\n";
  const [found] = parseSubtitles(text);
  expect(found?.isTop).toBe(true);
  expect(found?.lines).toEqual([
    [{ text: "slanted", italic: true }, { text: " {a} " }, { text: "red", color: "#ff0000" }],
  ]);
});

test.each(["scc", "mcc"] as const)("notes, italics, underlines and colours come through %s", (form) => {
  const lines = [
    [{ text: "♪♪ la " }, { text: "slanted", italic: true }, { text: " plain" }],
    [{ text: "Red", color: "#ff0000" }, { text: " " }, { text: "under", underline: true }, { text: " ♪♪♪" }],
    [{ text: "cyan and slanted", italic: true, color: "#00ffff" }],
  ];
  const [made] = linesOf(forms[form].print(cue(...lines), {}));
  // The code of a look is a space of that look.
  const plain = made?.map((line) => line.map(({ text, ...look }) => ({ text: text.trim(), ...look })));
  expect(plain).toEqual(
    lines.map((line) => line.map(({ text, ...look }) => ({ text: text.trim(), ...look })).filter(({ text }) => text)),
  );
});

const script = (text: string, style = "Default") => `[Script Info]
[V4+ Styles]
Format: Name, PrimaryColour, Bold, Italic, Underline, Alignment
Style: Default,&H00FFFFFF,0,0,0,2
Style: Above,&H0000FFFF,0,-1,0,8
[Events]
Format: Start, End, Style, Text
Dialogue: 0:00:01.00,0:00:02.00,${style},${text}
`;

test.each([
  ["Above", "a", [{ text: "a", italic: true, color: "#ffff00" }]],
  [
    "Above",
    "{\\i0}a{\\r}b",
    [
      { text: "a", color: "#ffff00" },
      { text: "b", italic: true, color: "#ffff00" },
    ],
  ],
  [
    "Default",
    "{\\b1\\i1}a{\\rAbove}b{\\r}c",
    [{ text: "a", italic: true, bold: true }, { text: "b", italic: true, color: "#ffff00" }, { text: "c" }],
  ],
  ["Default", "a{\\p1}m 0 0 l 10 10{\\p0} b", [{ text: "a b" }]],
  ["Default", "{\\c&HFF&}red{\\c} white", [{ text: "red", color: "#ff0000" }, { text: " white" }]],
  ["Default", "{\\b700}heavy{\\b400} usual", [{ text: "heavy", bold: true }, { text: " usual" }]],
  ["Default", "{\\c&H0000FF&}red{\\c} white", [{ text: "red", color: "#ff0000" }, { text: " white" }]],
] as const)("a text of ASS has the looks of its style %s and of its commands: %s", (style, text, line) => {
  const [made] = parseSubtitles(script(text, style));
  expect(made?.lines).toEqual([line]);
  expect(made?.isTop).toBe(style === "Above" ? true : undefined);
});

test("styles of TTML take in others, and what says otherwise takes back", () => {
  const text = `<tt xmlns="http://www.w3.org/ns/ttml"><head><styling>
    <style id="a" fontStyle="italic" color="#ff0000"/><style id="b" style="a" fontWeight="bold"/>
    <style id="loop" style="loop b"/></styling></head><body><div>
    <p begin="1s" end="2s" style="b">x<span fontStyle="normal" color="white">y</span></p>
    <p begin="3s" end="4s" style="loop">z</p></div></body></tt>`;
  expect(linesOf(text)).toEqual([
    [
      [
        { text: "x", italic: true, bold: true, color: "#ff0000" },
        { text: "y", bold: true },
      ],
    ],
    [[{ text: "z", italic: true, bold: true, color: "#ff0000" }]],
  ]);
});

test.each([
  ["de", "08"],
  ["english", "09"],
  ["nob", "1E"],
  ["tr", "29"],
  ["ja", "00"],
])("EBU STL says when it was made and that it is in %s", (language, code) => {
  const text = forms.stl.print(cue([{ text: "a" }]), { language, date: Date.UTC(2027, 2, 9) });
  expect([text.slice(14, 16), text.slice(224, 236)]).toEqual([code, "270309270309"]);
});

test("a text of SRT keeps what stands behind its empty lines, and its number is no text", () => {
  const text = "1\n00:00:01,000 --> 00:00:02,000\n\nfirst\n\nsecond\n\n2\n00:00:03,000 --> 00:00:04,000\nthird\n42\n";
  expect(linesOf(text)).toEqual([
    [[{ text: "first" }], [{ text: "second" }]],
    [[{ text: "third" }], [{ text: "42" }]],
  ]);
});

test("letters that WebVTT writes as numbers are letters", () => {
  const text = "WEBVTT\n\n00:01.000 --> 00:02.000\n&#39;Tis &#x266A; &amp; &#0; &nothing;\n";
  expect(linesOf(text)).toEqual([[[{ text: "'Tis \u266a & &#0; &nothing;" }]]]);
});

test("a paragraph of TTML that never ends is shown until the next one, and the last one for ten seconds", () => {
  const text =
    '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s">a</p><p begin="4s" end="5s">b</p><p begin="6s">c</p></div></body></tt>';
  expect(parseSubtitles(text).map(({ from, to }) => [from, to])).toEqual([
    [1000, 4000],
    [4000, 5000],
    [6000, 16_000],
  ]);
});
