import { expect, test } from "vitest";
import { TooMuchText } from "../../../media/subtitles/cue.ts";
import { forms, parseSubtitles } from "../../../media/subtitles/index.ts";

const document = (body: string, head = "") =>
  `<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling"><head>${head}</head>${body}</tt>`;

/** What is seen: from, to in seconds, and the lines. */
const seenIn = (body: string, head?: string) =>
  parseSubtitles(document(body, head)).map(({ from, to, lines }) => [
    from / 1000,
    to / 1000,
    lines.map((line) => line.map(({ text }) => text).join("")).join("|"),
  ]);

test.each<[string, string, unknown[]]>([
  [
    "paragraphs in sequence begin when the one before is over",
    `<body><div timeContainer="seq"><p dur="2s">a</p><p begin="1s" dur="2s">b</p><p end="1s">c</p></div></body>`,
    [
      [0, 2, "a"],
      [3, 5, "b"],
      [5, 6, "c"],
    ],
  ],
  [
    "a sequence of sequences counts from the begin of what is around it",
    `<body begin="10s" timeContainer="seq">
      <div timeContainer="seq"><p dur="1s">a</p><p dur="1s">b</p></div>
      <div begin="500ms"><p begin="1s" end="2s">c</p><p begin="2s" end="4s">d</p></div>
      <div><metadata/><p dur="1s">e</p></div></body>`,
    [
      [10, 11, "a"],
      [11, 12, "b"],
      [13.5, 14.5, "c"],
      [14.5, 16.5, "d"],
      [16.5, 17.5, "e"],
    ],
  ],
  [
    "what is around it ends a text",
    `<body end="9s"><div begin="2s" dur="5s"><p begin="1s" end="20s">a</p><p begin="6s" end="8s">b</p></div></body>`,
    [[3, 7, "a"]],
  ],
  [
    "spans of a paragraph come one after the other and stay",
    `<body><div><p begin="1s" end="6s">so <span begin="1s">it </span><span begin="2s" end="4s">comes</span></p></div></body>`,
    [
      [1, 2, "so"],
      [2, 3, "so it"],
      [3, 5, "so it comes"],
      [5, 6, "so it"],
    ],
  ],
  [
    "a paragraph without times shows those of its spans",
    `<body><div><p><span begin="1s" end="2s">a</span><br/><span begin="3s" dur="1s">b</span></p></div></body>`,
    [
      [1, 2, "a"],
      [3, 4, "b"],
    ],
  ],
  [
    "spans in sequence follow each other, also within spans",
    `<body><div><p begin="1s" timeContainer="seq"><span dur="1s">a</span> <span timeContainer="seq"><span dur="1s">b</span>
      <span dur="1s">c</span></span><span dur="2s">d</span></p></div></body>`,
    [
      [1, 2, "a"],
      [2, 3, "b"],
      [3, 4, "c"],
      [4, 6, "d"],
    ],
  ],
  [
    "lines of a paragraph have times of their own",
    `<body><div><p begin="0s" end="4s"><span end="3s">one</span><br/><span begin="1s">two</span></p></div></body>`,
    [
      [0, 1, "one"],
      [1, 3, "one|two"],
      [3, 4, "two"],
    ],
  ],
  [
    "what is hidden is not shown, until it is",
    `<body><div><p begin="1s" end="5s" tts:visibility="hidden">a<set begin="1s" dur="2s" tts:visibility="visible"/></p>
      <p begin="6s" end="7s" tts:display="none">b</p></div></body>`,
    [[2, 4, "a"]],
  ],
])("TTML: %s", (_name, body, seen) => {
  expect(seenIn(body)).toEqual(seen);
});

test("TTML: looks change for a while, come from regions, and words may be in another language", () => {
  const head = `<styling><initial tts:fontStyle="italic"/></styling>
    <layout><region xml:id="r" tts:color="yellow"><style tts:fontWeight="bold"/></region></layout>`;
  const body = `<body><div><p region="r" begin="0s" end="2s">x<span tts:fontWeight="normal" xml:lang="fr">y</span></p>
    <p begin="3s" end="5s" tts:fontStyle="normal">z<set begin="1s" tts:color="rgb(255,128,0)"/></p></div></body>`;
  const cues = parseSubtitles(document(body, head));
  expect(cues).toEqual([
    {
      ...{ from: 0, to: 2000 },
      lines: [
        [
          { text: "x", italic: true, bold: true, color: "#ffff00" },
          { text: "y", italic: true, color: "#ffff00", language: "fr" },
        ],
      ],
    },
    { from: 3000, to: 4000, lines: [[{ text: "z" }]] },
    { from: 4000, to: 5000, lines: [[{ text: "z", color: "#ff8000" }]] },
  ]);
  expect(parseSubtitles(forms.ttml.print(cues, {}))).toEqual(cues);
});

test("TTML whose texts come and go at too many moments is too much", () => {
  const spans = Array.from({ length: 4000 }, (_, at) => `<span begin="${at}s">a</span>`).join("");
  expect(() => seenIn(`<body><div><p>${spans}</p></div></body>`)).toThrow(TooMuchText);
  const sets = `<set begin="1s"/>`.repeat(101);
  expect(() => seenIn(`<body><div><p end="9s">a${sets}</p></div></body>`)).toThrow(TooMuchText);
});
