/** The same two captions in every format that samples have beside their films. */
const cues = [
  { from: 1, to: 2.5, text: "A first caption" },
  { from: 3, to: 5, text: "A second caption" },
  { from: 30, to: 33, text: "A late caption" },
] as const;

const pad = (value: number, digits = 2): string => String(value).padStart(digits, "0");
const clock = (seconds: number, mark: string): string =>
  `00:${pad(Math.floor(seconds / 60))}:${pad(Math.floor(seconds % 60))}${mark}${pad(Math.round((seconds % 1) * 1000), 3)}`;

const srt = (): string =>
  cues
    .map(({ from, to, text }, index) => `${index + 1}\n${clock(from, ",")} --> ${clock(to, ",")}\n${text}\n`)
    .join("\n");

const vtt = (): string =>
  `WEBVTT\n\n${cues.map(({ from, to, text }) => `${clock(from, ".")} --> ${clock(to, ".")}\n${text}\n`).join("\n")}`;

const ttml = (): string => {
  const lines = cues.map(({ from, to, text }) => `<p begin="${clock(from, ".")}" end="${clock(to, ".")}">${text}</p>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><body><div>${lines.join("\n")}</div></body></tt>\n`;
};

/** Pop-on captions on the last row: each line of codes is one caption, sent before it is shown. */
const scc = (): string => {
  const lines = cues.flatMap(({ from, to, text }) => [
    `${sccClock(from - 0.5)}\t9420 9420 94ae 94ae 9470 9470 ${words(text)} 942f 942f`,
    `${sccClock(to)}\t942c 942c`,
  ]);
  return `Scenarist_SCC V1.0\n\n${lines.join("\n\n")}\n`;
};

const sccClock = (seconds: number): string =>
  `00:${pad(Math.floor(seconds / 60))}:${pad(Math.floor(seconds % 60))}:${pad(Math.floor((seconds % 1) * 30))}`;

const words = (text: string): string =>
  (text.length % 2 === 0 ? text : `${text} `)
    .match(/../g)
    ?.map((pair) => [...pair].map((each) => oddParity(each.charCodeAt(0))).join(""))
    .join(" ") ?? "";

const oddParity = (code: number): string => {
  const ones = code.toString(2).replaceAll("0", "").length;
  return (ones % 2 === 0 ? code | 0x80 : code).toString(16).padStart(2, "0");
};

const formats: Readonly<Record<string, () => string>> = { srt, vtt, ttml, scc, xml: () => "<metadata/>\n" };

/** The text of a sidecar by its name; undefined where it is no text. */
export const sidecarText = (name: string): string | undefined =>
  formats[name.split(".").at(-1)?.toLowerCase() ?? ""]?.();
