import { describe, expect, test } from "vitest";
import { type Cue, cutCues, SubtitleError } from "../../../media/subtitles/cue.ts";
import { decodeSubtitles, formOf, forms, parseSubtitles } from "../../../media/subtitles/index.ts";
import { type FormName, formNames } from "../../../shared/work/subtitle-forms.ts";
import { times } from "../../helpers/long.ts";

const cues: readonly Cue[] = [
  { from: 1000, to: 2500, lines: [[{ text: "A first text" }]] },
  { from: 3000, to: 5000, lines: [[{ text: "Two lines," }], [{ text: "R&D < 5 > 3" }]] },
  { from: 3_725_040, to: 3_727_080, lines: [[{ text: "Él dijo: ¿qué?" }]], isTop: true },
];

// A TTML track is only written: ffmpeg copies it into an MP4. Pages are drawn.
describe.each(formNames.filter((name) => !/^(scc|mcc|stl|timed_text|ttml_track|pages)$/.test(name)))("%s", (name) => {
  test("is read as it was written", () => {
    expect(forms[name].parse(forms[name].print(cues, {}))).toEqual(cues);
  });

  test("keeps looks and colours", () => {
    const line = [
      { text: "plain " },
      { text: "all", italic: true, bold: true, underline: true } as const,
      { text: " yellow", color: "#ffff00" },
    ];
    const [found] = forms[name].parse(forms[name].print([{ from: 0, to: 1000, lines: [line] }], {}));
    expect(found?.lines).toEqual([line]);
  });

  test("is known by how it begins", () => {
    expect(formOf(forms[name].print(cues, {}))).toBe(name === "imsc1" ? "ttml" : name);
  });
});

test("captions are loaded before they are due, and erased when they end", () => {
  const plain = cues.map(({ lines, ...times }) => ({ ...times, lines }));
  const text = forms.scc.print(plain.slice(0, 2), {});
  expect(text).toMatch(/^Scenarist_SCC V1\.0\n\n00:00:00:\d\d\t94ae 94ae 9420 9420 /);
  const found = forms.scc.parse(text);
  expect(found.map(({ lines }) => lines)).toEqual([
    [[{ text: "A first text" }]],
    [[{ text: "Two lines," }], [{ text: "R&D < 5 > 3" }]],
  ]);
  for (const [index, { from, to }] of found.entries()) {
    expect(Math.abs(from - (plain[index]?.from ?? 0))).toBeLessThanOrEqual(70);
    expect(Math.abs(to - (plain[index]?.to ?? 0))).toBeLessThanOrEqual(70);
  }
});

test("captions that follow one another at once are all shown", () => {
  const close = Array.from({ length: 20 }, (_, at) => ({
    ...{ from: 2000 + at * 1500, to: 3400 + at * 1500 },
    lines: [[{ text: `Number ${at} of many captions` }], [{ text: "with a second row" }]],
  }));
  const found = forms.scc.parse(forms.scc.print(close, { isDrop: true }));
  expect(found.map(({ lines }) => lines)).toEqual(close.map(({ lines }) => lines));
  expect(found.every(({ from }, at) => Math.abs(from - (close[at]?.from ?? 0)) < 150)).toBe(true);
});

test("captions keep the accents that they have, and lose what they have not", () => {
  const text = "Ça coûte 5 € à l’hôtel… Ægir Łódź ♪";
  const [found] = forms.scc.parse(forms.scc.print([{ from: 1000, to: 3000, lines: [[{ text }]] }], {}));
  expect(found?.lines).toEqual([[{ text: "Ça coûte 5 à l’hôtel... AEgir" }], [{ text: "Lódz ♪" }]]);
});

test.each<[string, string, Partial<Cue>[]]>([
  [
    "SRT with short clocks, tags and no numbers",
    "0:01,5 --> 00:02.250\n<i>a</i> {\\b1}<font color=red>b\n\n",
    [
      {
        from: 1500,
        to: 2250,
        lines: [[{ text: "a", italic: true }, { text: " " }, { text: "b", bold: true, color: "#ff0000" }]],
      },
    ],
  ],
  [
    "WebVTT with notes, styles, names of cues and settings",
    "WEBVTT - x\n\nSTYLE\n::cue{}\n\nNOTE a --> b\n\nname\n00:01.000 --> 00:02.000 line:10%\n<v Ann>Hi &amp; <c.lime>you</c>\n",
    [
      {
        ...{ from: 1000, to: 2000, isTop: true },
        lines: [
          [
            { text: "Hi & ", voice: "Ann" },
            { text: "you", voice: "Ann", color: "#00ff00" },
          ],
        ],
      },
    ],
  ],
  [
    "TTML with frames, nested times, styles and regions",
    `<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="p" xmlns:tts="s" ttp:frameRate="25">
    <head><styling><style xml:id="s" tts:fontStyle="italic"/></styling><layout><region xml:id="r" tts:displayAlign="before"/></layout></head>
    <body begin="10s"><div><p begin="00:00:01:05" dur="500ms" style="s" region="r"> A
      line<br/><span tts:color="cyan">B</span></p></div></body></tt>`,
    [
      {
        from: 11_200,
        to: 11_700,
        lines: [[{ text: "A line", italic: true }], [{ text: "B", italic: true, color: "#00ffff" }]],
        isTop: true,
      },
    ],
  ],
  [
    "TTML in SMPTE time",
    `<tt xmlns:ttp="p" ttp:timeBase="smpte" ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001"><body><div><p begin="01:00:00:00" end="01:00:01:00">A</p></div></body></tt>`,
    [{ from: 3_603_600, to: 3_604_601, lines: [[{ text: "A" }]] }],
  ],
])("%s", (_name, text, expected) => {
  expect(parseSubtitles(text)).toEqual(expected);
});

test("a part of the cues counts from its own beginning, at its own speed", () => {
  const cut = cutCues(cues, { from: 2000, to: 4000, speed: 2 });
  expect(cut.map(({ from, to }) => [from, to])).toEqual([
    [0, 250],
    [500, 1000],
  ]);
});

test("bytes are read as UTF-8, as UTF-16 by its mark, or else as the code page of the West", () => {
  expect(decodeSubtitles(new TextEncoder().encode("é"))).toBe("é");
  expect(decodeSubtitles(new Uint8Array([0xff, 0xfe, 0xe9, 0]))).toBe("é");
  expect(decodeSubtitles(new Uint8Array([0xe9]))).toBe("é");
});

describe("what is broken or hostile", () => {
  test.each([
    ["WEBVTT", ""],
    ["nothing of the kind", "is no readable srt: no line such as"],
    ["<tt><body>", "is no readable ttml: the document ends within an element"],
    ['<!DOCTYPE x [<!ENTITY a "b">]><tt/>', "a document type is not allowed"],
    ["<html/>", "the root is <html>, not <tt>"],
    ["[Script Info]\n", "there is no section [Events]"],
  ])("%j", (text, message) => {
    if (message === "") expect(parseSubtitles(text)).toEqual([]);
    else expect(() => parseSubtitles(text)).toThrow(message);
  });

  test("is read in a time that grows with its length only", { timeout: 20_000 }, () => {
    const bombs = [
      `WEBVTT\n\n00:00.000 --> 00:01.000\n${"<i>".repeat(200_000)}x`,
      `00:00:00,000 --> 00:00:01,000\n${"{\\".repeat(200_000)}`,
      `WEBVTT\n\n${"00:00.000 -->".repeat(100_000)}`,
      `[Script Info]\n[Events]\nFormat: ${"Text,".repeat(50_000)}\nDialogue: ${",".repeat(200_000)}`,
      `Scenarist_SCC V1.0\n\n00:00:00:00\t${"9420 2a2a ".repeat(100_000)}`,
      `${"<".repeat(500_000)}`,
    ];
    for (const bomb of bombs) {
      try {
        expect(parseSubtitles(bomb).length).toBeLessThan(100_001);
      } catch (problem) {
        expect(problem).toBeInstanceOf(SubtitleError);
      }
    }
  });

  test("never breaks a parser otherwise than in words", () => {
    let state = 7;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % below;
    };
    const samples = formNames.map((name: FormName) => forms[name].print(cues, {}));
    for (let round = 0; round < times(150, 3000, 100_000); round++) {
      const text = samples[random(samples.length)] ?? "";
      const at = random(text.length);
      const broken = text.slice(0, at) + String.fromCharCode(random(300)) + text.slice(at + random(12));
      try {
        for (const name of formNames) forms[name].print(parseSubtitles(broken), {});
      } catch (problem) {
        expect(problem).toBeInstanceOf(SubtitleError);
      }
    }
  });
});

test("a position of ASS tells whether a text stands at the top, whatever its alignment says", () => {
  const dialogue = (tags: string) => `Dialogue: 0:00:01.00,0:00:02.00,${tags}Text\n`;
  const text = (height: number) =>
    `[Script Info]\nPlayResY: ${height}\n[Events]\nFormat: Start, End, Text\n${dialogue("{\\an7}{\\pos(38,243)}")}`;
  expect([288, 1080].map((height) => parseSubtitles(text(height))[0]?.isTop)).toEqual([undefined, true]);
});

test("EBU STL has a head that tells what follows, and blocks with places, accents and looks", () => {
  const line = [{ text: "Él ", italic: true } as const, { text: "ñandú – ça", underline: true } as const];
  const long = [{ text: "x".repeat(120) }];
  const text = forms.stl.print([{ from: 3_600_040, to: 3_602_000, lines: [line, long], isTop: true }]);
  expect(text.length).toBe(1024 + 2 * 128);
  expect([text.slice(0, 16), text.slice(238, 274)]).toEqual([
    "850STL25.0100000",
    "0000200001001402310000000001000001" + "11",
  ]);
  expect(text.slice(1024, 1024 + 30)).toBe(
    "\0\x01\0\0\0\x01\0\0\x01\x01\0\x02\0\x02\x02\0\x80\xc2El \x81\x82\xc4nand\xc2u",
  );
  const bytes = Uint8Array.from(text, (each) => each.charCodeAt(0));
  expect(parseSubtitles(decodeSubtitles(bytes))).toEqual([
    {
      ...{ from: 3_600_040, to: 3_602_000, isTop: true },
      lines: [
        [
          { text: "Él ", italic: true },
          { text: "ñandú - ça", underline: true },
        ],
        long,
      ],
    },
  ]);
});
