import { expect, test } from "vitest";
import { convertSubtitles } from "../../../media/subtitles/convert.ts";
import { TooMuchText } from "../../../media/subtitles/cue.ts";
import { forms, parseSubtitles } from "../../../media/subtitles/index.ts";
import type { FormName } from "../../../shared/work/subtitle-forms.ts";

const vtt = (style: string, text: string, id = "") =>
  `WEBVTT\n\nSTYLE\n${style}\n\n${id}\n00:01.000 --> 00:02.000\n${text}\n`;
const lineOf = (style: string, text: string, id?: string) => parseSubtitles(vtt(style, text, id))[0]?.lines[0];

test.each<[string, string, string, object[], string?]>([
  [
    "a class",
    "::cue(.loud) { color: #ff8000; font-weight: bold }",
    "<c.loud>a</c>",
    [{ text: "a", color: "#ff8000", bold: true }],
  ],
  ["a tag", "::cue(i) { color: lime }", "<i>a</i>", [{ text: "a", italic: true, color: "#00ff00" }]],
  [
    "every cue",
    "::cue { font-style: italic }",
    "a<b>b</b>",
    [
      { text: "a", italic: true },
      { text: "b", italic: true, bold: true },
    ],
  ],
  [
    "what takes back",
    "::cue { font-style: italic }\n::cue(.no) { font-style: normal }",
    "a<c.no>b</c>",
    [{ text: "a", italic: true }, { text: "b" }],
  ],
  [
    "a voice",
    `::cue(v[voice="Ann B"]) { color: rgb(0, 128, 255) }`,
    "<v Ann B>a</v><v Bob>b</v>",
    [
      { text: "a", voice: "Ann B", color: "#0080ff" },
      { text: "b", voice: "Bob" },
    ],
  ],
  [
    "a voice with a class",
    "::cue(v.far) { text-decoration: underline }",
    "<v.far Ann>a</v>",
    [{ text: "a", voice: "Ann", underline: true }],
  ],
  [
    "a language",
    "::cue(:lang(en)) { color: #0F0 }",
    "<lang en-GB>a</lang>",
    [{ text: "a", language: "en-GB", color: "#00ff00" }],
  ],
  [
    "the cue of an id",
    "::cue(#\\31 2) { color: red }\n::cue(#b) { color: lime }",
    "a",
    [{ text: "a", color: "#ff0000" }],
    "12",
  ],
  [
    "several selectors, and the weightier one",
    "::cue(c), ::cue(.a.b) { color: red }\n::cue(.a) { color: lime }",
    "<c.a.b>a</c><c.a>b</c>",
    [
      { text: "a", color: "#ff0000" },
      { text: "b", color: "#00ff00" },
    ],
  ],
  [
    "the later of two that weigh the same, whatever the order of a tag's classes",
    "::cue(.b) { color: red }\n::cue(.a) { color: lime }",
    "<c.a.b>a</c><c.b.a>b</c>",
    [{ text: "ab", color: "#00ff00" }],
  ],
  [
    "the later of a voice and a class",
    `::cue([voice="Ann"]) { color: red; font-style: italic }\n::cue(.far) { color: lime; font-style: normal }`,
    "<v.far Ann>a</v>",
    [{ text: "a", voice: "Ann", color: "#00ff00" }],
  ],
  [
    "what is important, against the weightier and the later",
    "::cue(.a) { color: red !important; color: blue }\n::cue(c.a) { color: lime }",
    "<c.a>a</c>",
    [{ text: "a", color: "#ff0000" }],
  ],
  [
    "a class with a colour's name",
    "::cue(.yellow) { color: #102030 }",
    "<c.yellow>a</c>",
    [{ text: "a", color: "#102030" }],
  ],
  [
    "a comment",
    "/* ::cue { color: red } */ ::cue(b) { /* x */ color: blue !important }",
    "<b>a</b>",
    [{ text: "a", bold: true, color: "#0000ff" }],
  ],
])("styles of WebVTT: %s", (_name, style, text, line, id) => {
  expect(lineOf(style, text, id)).toEqual(line);
});

const looks = [
  { text: "a", color: "#ff8000", voice: "Ann & <Bob>" },
  { text: "b", italic: true as const, color: "#ffff00", language: "fr" },
  { text: "c", bold: true as const, underline: true as const },
];
const cues = [{ from: 1000, to: 2000, lines: [looks] }];

test("what WebVTT says of looks comes through it", () => {
  expect(parseSubtitles(forms.webvtt.print(cues))).toEqual(cues);
  // A track of media has no styles: the colour is the nearest that has a name.
  const [first, ...others] = looks;
  const [held] = parseSubtitles(forms.webvtt.print(cues, { isTrack: true }));
  expect(held?.lines[0]).toEqual([{ ...first, color: "#ffff00" }, ...others]);
});

const told = (form: FormName, more: object = {}) => {
  const bytes = new TextEncoder().encode(forms.webvtt.print(cues));
  const source = { name: "in", label: "in", bytes };
  return convertSubtitles({ source, form, stretch: { from: 0 }, ...more }).told.map((each) => each.replace("in: ", ""));
};
const voices = (form: string) => `${form} has no names of speakers, which 1 text had`;
const languages = (form: string) => `${form} has no languages of single words, which 1 text had`;

test.each<[FormName, string[]]>([
  ["webvtt", []],
  ["ttml", [voices("ttml")]],
  ["srt", [voices("srt"), languages("srt")]],
  ["ass", [voices("ass"), languages("ass")]],
  [
    "scc",
    [
      "scc has no bold letters, which 1 text had",
      voices("scc"),
      languages("scc"),
      "colours of 1 text became the nearest that scc has",
    ],
  ],
  [
    "stl",
    [
      "stl has no bold letters, which 1 text had",
      "stl has no colours, which 1 text had",
      voices("stl"),
      languages("stl"),
    ],
  ],
])("what %s loses of it is told", (form, sentences) => {
  expect(told(form)).toEqual(sentences);
});

test("a track of WebVTT tells of colours that it has no name for", () => {
  expect(told("webvtt", { isTrack: true })).toEqual(["colours of 1 text became the nearest that webvtt has"]);
});

test("what styles say and no text keeps is told", () => {
  const style = "::cue { background-color: black; color: red }\n::cue(b i) { color: lime }";
  const bytes = new TextEncoder().encode(vtt(style, "a"));
  const { told: said } = convertSubtitles({
    ...{ source: { name: "in.vtt", label: "in.vtt", bytes }, form: "webvtt" as const, stretch: { from: 0 } },
  });
  expect(said).toEqual(["in.vtt: its styles also say background-color, ::cue(b i), which is not kept"]);
});

test("styles that are longer than anybody writes are too much", () => {
  expect(() => lineOf("::cue(.a) { color: red }\n".repeat(30_000), "a")).toThrow(TooMuchText);
  expect(() => lineOf("::cue(b) {}\n".repeat(6000), "a")).toThrow(TooMuchText);
});
