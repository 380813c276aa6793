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
  { name: "webvtt: notes", of: repeated("WEBVTT\n\n", "NOTE a\n\n") },
  { name: "webvtt: styles", of: repeated("WEBVTT\n\n", "STYLE\n::cue {}\n\n") },
  { name: "webvtt: times within a text", of: repeated(vttHead, "<00:00:01.000>") },
  { name: "webvtt: settings", of: repeated("WEBVTT\n\n00:01.000 --> 00:02.000", " line:1", "\na\n") },
  { name: "webvtt: many texts", of: repeated("WEBVTT\n\n", "00:01.000 --> 00:02.000\na\n\n") },
  { name: "webvtt: clocks in the head", of: repeated("WEBVTT\n", "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1\n") },
  { name: "scc: times of the day", of: repeated(sccHead, "23:59:59;29\t9420 942f\n") },
  {
    name: "scc: times that go back",
    of: (count) =>
      sccHead +
      Array.from({ length: count }, (_, at) => `00:${String(59 - (at % 60)).padStart(2, "0")}:00:00\t9420\n`).join(""),
  },
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

const report = (more: object): string => JSON.stringify({ streams: [], format: { format_name: "mov,mp4" }, ...more });
const sound48 = { codec_type: "audio", channels: 2, sample_rate: "48000" };
const list = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));

/** What ffprobe says of files that tell it very much. */
export const probeShapes: readonly Shape[] = [
  { name: "probe: streams", of: (count) => report({ streams: list(count, (index) => ({ ...sound48, index })) }) },
  {
    name: "probe: streams with long tags",
    of: (count) =>
      report({ streams: list(1000, (index) => ({ ...sound48, index, tags: { title: "a".repeat(count / 10) } })) }),
  },
  {
    name: "probe: streams of impossible facts",
    of: (count) => report({ streams: list(count / 20, (index) => ({ ...sound48, index, bits_per_raw_sample: 0.5 })) }),
  },
  {
    name: "probe: timecodes",
    of: (count) =>
      report({ streams: list(count / 20, (index) => ({ ...sound48, index, tags: { timecode: `0${index}` } })) }),
  },
  {
    name: "probe: tags",
    of: (count) =>
      report({ format: { format_name: "a", tags: Object.fromEntries(list(count, (at) => [`k${at}`, "v"])) } }),
  },
  {
    name: "probe: chapters",
    of: (count) => report({ chapters: list(count, () => ({ start_time: "1", end_time: "2" })) }),
  },
  {
    name: "probe: side data",
    of: (count) =>
      report({ streams: [{ ...sound48, index: 0, side_data_list: list(count, () => ({ rotation: 90 })) }] }),
  },
  {
    name: "probe: frames",
    of: (count) => report({ frames: list(count, () => ({ stream_index: 9, side_data_list: [] })) }),
  },
  {
    name: "probe: lists within lists",
    of: (count) => report({ a: 1 }).replace('"a":1', `"a":${"[".repeat(count)}${"]".repeat(count)}`),
  },
  {
    name: "probe: one long brand",
    of: (count) => report({ format: { format_name: "a", tags: { compatible_brands: "isom".repeat(count) } } }),
  },
];

const multistatus = (body: string): string => `<D:multistatus xmlns:D="DAV:">${body}</D:multistatus>`;

export const listingShapes: readonly Shape[] = [
  { name: "webdav: files", of: (count) => multistatus("<response><href>/films/a</href></response>".repeat(count)) },
  {
    name: "webdav: properties",
    of: (count) =>
      multistatus(
        `<response><href>/films/a</href>${"<propstat><prop><getetag>a</getetag></prop></propstat>".repeat(count)}</response>`,
      ),
  },
  {
    name: "webdav: one long address",
    of: (count) => multistatus(`<response><href>${"/a".repeat(count)}</href></response>`),
  },
  {
    name: "webdav: encoded slashes",
    of: (count) => multistatus(`<response><href>/films/${"%2f".repeat(count)}</href></response>`),
  },
  { name: "webdav: ampersands", of: (count) => multistatus("&".repeat(count)) },
  { name: "webdav: attributes", of: (count) => `<a ${list(count, (at) => `a${at}="1"`).join(" ")}/>` },
  { name: "webdav: open quotes", of: (count) => `<a ${"b='".repeat(count)}` },
  { name: "webdav: comments", of: (count) => multistatus("<!---->".repeat(count)) },
  { name: "webdav: spaces in a tag", of: (count) => `<a${" ".repeat(count)}<` },
  {
    name: "webdav: one long date",
    of: (count) =>
      multistatus(
        `<response><href>/films/a</href><propstat><prop><getlastmodified>${"1 ".repeat(count)}</getlastmodified></prop></propstat></response>`,
      ),
  },
];

/** What programs may be made to print by the names and tags of a file. */
export const logShapes: readonly Shape[] = [
  ["errors of opening", "[error] Error opening input file "],
  ["errors of opening, then a name", "Error opening input: a file b "],
  ["marks of a module", "[a @ 0] "],
  ["open brackets", "["],
  ["errors", "[mov @ 0x1] [error] a\n"],
  ["errors without a line's end", "[mov @ 0x1] [error] a "],
  ["errors and empty lines", "[mov @ 0x1] [error] a\n\n\n\n"],
  ["spaces", " "],
  ["lines", "\n"],
  ["one long line", "a"],
  ["encoders", "Unknown encoder '"],
  ["options", "Error applying option 'a"],
  ["options that were not found", "Option a to filter 'b': Option "],
  ["pictures", "Picture size 1x"],
  ["packets", "pts=1|duration=1|flags=K_\n"],
  ["progress", "progress=continue\n"],
].map(([name = "", part = ""]) => ({ name: `log: ${name}`, of: repeated("", part) }));

export const nameShapes: readonly Shape[] = [
  { name: "name: one letter", of: repeated("", "a") },
  { name: "name: letters that nearly match", of: repeated("", "ab") },
];

/** Subtitles of about so many bytes, with few texts of many lines. */
export const srtOfBytes = (bytes: number): Uint8Array => {
  const lines = "some words of a text that is long\n".repeat(19);
  const text = Array.from({ length: Math.ceil(bytes / 700) }, (_, at) => {
    const clock = `${String(Math.floor(at / 60) % 60).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;
    return `${at + 1}\n00:${clock},000 --> 00:${clock},900\n${lines}\n`;
  });
  return new TextEncoder().encode(text.join(""));
};
