/** Texts from strangers that cost most where a parser is not linear: each grows with the number of its parts. */
export type Shape = { readonly name: string; readonly of: (count: number) => string };

const srtHead = "1\n00:00:01,000 --> 00:00:02,000\n";
const vttHead = "WEBVTT\n\n00:01.000 --> 00:02.000\n";
const assHead = "[Script Info]\n[Events]\nFormat: Start, End, Text\n";
const assLine = "Dialogue: 0:00:01.00,0:00:02.00,";
const sccHead = "Scenarist_SCC V1.0\n";
const mccHead = "File Format=MacCaption_MCC V1.0\n";
const stlHead = "850STL25.01".padEnd(1024);
const ttml = (body: string): string => `<tt><body><div>${body}</div></body></tt>`;

const repeated =
  (head: string, part: string, end = "") =>
  (count: number): string =>
    head + part.repeat(count) + end;

/** Marks of all forms of text, repeated within the first text of each. */
const marks: readonly (readonly [name: string, part: string])[] = [
  ["numbers", "1\n"],
  ["one long number", "1"],
  ["an unclosed tag of digits", "<1"],
  ["arrows", "-->"],
  ["unclosed commands", "{\\"],
  ["unclosed positions", "{\\pos("],
  ["nested tags", "<i>"],
  ["ends of tags", "</b>"],
  ["ampersands", "&"],
  ["blank lines", "\n"],
  ["lines of spaces", " \n"],
  ["lines of other spaces", "\u00a0\n"],
  ["returns", "\r"],
  ["spaces", " "],
  ["one long line", "a"],
];

const heads: Readonly<Record<string, string>> = {
  ...{ srt: srtHead, webvtt: vttHead, ass: assHead + assLine, scc: `${sccHead}00:00:01:00\t`, stl: stlHead },
  ...{ mcc: `${mccHead}Time Code Rate=30\n00:00:01:00\t`, ttml: "<tt><body><div><p begin='1s' end='2s'>" },
};

const marked = Object.entries(heads).flatMap(([form, head]) =>
  marks.map(([name, part]): Shape => ({ name: `${form}: ${name}`, of: repeated(head, part, "!") })),
);

const halves =
  (head: string, first: string, second: string) =>
  (count: number): string =>
    head + first.repeat(count / 2) + second.repeat(count / 2);

export const subtitleShapes: readonly Shape[] = [
  ...marked,
  { name: "srt: a tag that is one long number", of: repeated(`${srtHead}<`, "1") },
  { name: "webvtt: a tag that is one long number", of: repeated(`${vttHead}<`, "1") },
  { name: "srt: open tags, then ends of others", of: halves(srtHead, "<i>", "</b>") },
  { name: "webvtt: open tags, then ends of others", of: halves(vttHead, "<i>", "</b>") },
  { name: "srt: many texts at one time", of: repeated("", `${srtHead}a\n\n`) },
  { name: "ass: many texts at one time", of: repeated(assHead, `${assLine}a\n`) },
  {
    name: "ass: as many fields as texts",
    of: (count) => `[Script Info]\n[Events]\nFormat: ${"a,".repeat(count)}\n${"Dialogue: \n".repeat(count)}`,
  },
  { name: "scc: spaces before a wrong word", of: repeated(`${sccHead}00:00:01:00\t`, " ", "x") },
  { name: "scc: many captions", of: repeated(sccHead, "00:00:01:00\t9420 c1c1 942f\n") },
  { name: "stl: parts of one text", of: repeated(stlHead, "\0".repeat(16) + "\x8fa".repeat(56)) },
  { name: "ttml: many texts", of: (count) => ttml("<p begin='1s' end='2s'>a</p>".repeat(count)) },
  { name: "ttml: many attributes", of: (count) => ttml(`<p ${"a='1' ".repeat(count)}/>`) },
];

const mpd = (body: string): string => `<MPD mediaPresentationDuration="PT9000H">${body}</MPD>`;
const sound = (body: string): string =>
  `<AdaptationSet mimeType="audio/mp4"><Representation>${body}</Representation></AdaptationSet>`;
const hlsHead = "#EXTM3U\n#EXT-X-ENDLIST\n";
const variant = "#EXT-X-STREAM-INF:BANDWIDTH=1\n";
const endless =
  '<SegmentTemplate media="$Time$"><SegmentTimeline><S d="1" r="2147483648"/></SegmentTimeline></SegmentTemplate>';
const long =
  '<SegmentTemplate media="$Time$"><SegmentTimeline><S d="1" r="19998"/></SegmentTimeline></SegmentTemplate>';

export const manifestShapes: readonly Shape[] = [
  { name: "hls: variants without an address", of: repeated(hlsHead, variant) },
  { name: "hls: variants", of: repeated(hlsHead, `${variant}a\n`) },
  { name: "hls: attributes without an end", of: repeated(`${hlsHead}#EXT-X-STREAM-INF:`, 'A="', "\na\n") },
  { name: "hls: segments", of: repeated(hlsHead, "a\n") },
  { name: "hls: discontinuities", of: repeated(hlsHead, "#EXT-X-DISCONTINUITY\na\n") },
  { name: "dash: sets of one period", of: (count) => mpd(`<Period>${sound("").repeat(count)}</Period>`) },
  { name: "dash: periods", of: (count) => mpd(`<Period>${sound("")}</Period>`.repeat(count)) },
  {
    name: "dash: representations",
    of: (count) =>
      mpd(`<Period><AdaptationSet mimeType="audio/mp4">${"<Representation/>".repeat(count)}</AdaptationSet></Period>`),
  },
  { name: "dash: endless timelines", of: (count) => mpd(`<Period>${sound(endless)}</Period>`.repeat(count)) },
  { name: "dash: long timelines", of: (count) => mpd(`<Period>${sound(long)}</Period>`.repeat(count / 100)) },
];
