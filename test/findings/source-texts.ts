/** Texts that lie beside pictures: three notes, with what was lost once (angle brackets, escapes, styles). */
export const notes = ["First <note> & more", "Second note", "Third note"] as const;

const times = [
  [1000, 2500],
  [3000, 4500],
  [6000, 8000],
] as const;

const clock = (ms: number, mark: string): string =>
  `00:00:0${Math.floor(ms / 1000)}${mark}${String(ms % 1000).padStart(3, "0")}`;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const listed = (write: (text: string, from: number, to: number, at: number) => string): string =>
  notes
    .map((text, at) => {
      const [from, to] = times[at] ?? [0, 0];
      return write(text, from, to, at);
    })
    .join("");

export const srt = listed((text, from, to, at) => `${at + 1}\n${clock(from, ",")} --> ${clock(to, ",")}\n${text}\n\n`);

export const ttml = `<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xml:lang="en">
<head><styling><style xml:id="base" tts:color="yellow"/><style xml:id="slanted" style="base" tts:fontStyle="italic"/></styling></head>
<body><div>
${listed((text, from, to, at) => `<p begin="${clock(from, ".")}" end="${clock(to, ".")}"${at === 1 ? ' style="slanted"' : ""}>${escaped(text)}</p>\n`)}</div></body></tt>
`;

const assTime = (ms: number): string => `0:00:0${(ms / 1000).toFixed(2)}`;
const assLine = (layer: number, from: number, to: number, text: string): string =>
  `Dialogue: ${layer},${assTime(from)},${assTime(to)},Default,,0,0,0,,${text}\n`;

/** With overrides, a reset, a comment and a drawing: what is no text may not become text. */
export const ass = `[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, Alignment
Style: Default,Arial,20,&H00FFFFFF,0,0,2

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
${assLine(0, 1000, 2500, notes[0])}${assLine(0, 3000, 4500, `{\\i1}Second{\\r} note`)}${assLine(0, 6000, 8000, `{\\c&H0000FF&}${notes[2]}`)}${assLine(1, 6000, 8000, "{\\p1}m 0 0 l 100 0 100 100 0 100{\\p0}")}`;

const bcd = (seconds: number): number[] => [10, 0, seconds, 0];
const padded = (text: string, length: number): Buffer => Buffer.from(text.padEnd(length).slice(0, length), "latin1");

/** An EBU STL file of a programme that begins at 10:00:00:00, as its TCP field says. */
export const stl10 = (): Buffer => {
  const gsi = Buffer.from(" ".repeat(1024), "latin1");
  const put = (at: number, text: string) => gsi.write(text, at, "latin1");
  for (const [at, text] of [
    ...[[0, "850STL25.01"] as const, [11, "0"] as const, [12, "00"] as const, [14, "09"] as const],
    ...[[16, "findings"] as const, [224, "261231261231"] as const, [236, "00"] as const],
    ...[
      [238, "0000300003001"] as const,
      [251, "4023"] as const,
      [255, "1"] as const,
      [256, "1000000010000000"] as const,
    ],
  ])
    put(at, text);
  const blocks = notes.map((text, at) => {
    const [from, to] = (times[at] ?? [0, 0]).map((ms) => ms / 1000);
    const head = [0, at & 255, at >> 8, 0xff, 0, ...bcd(Math.floor(from ?? 0)), ...bcd(Math.floor(to ?? 0)), 20, 2, 0];
    return Buffer.concat([Buffer.from(head), Buffer.concat([padded(text, text.length), Buffer.alloc(112, 0x8f)], 112)]);
  });
  return Buffer.concat([gsi, ...blocks]);
};
