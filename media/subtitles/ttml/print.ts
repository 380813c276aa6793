import { printClock } from "../clock.ts";
import type { Cue, Span } from "../cue.ts";
import { escapeXml } from "../markup.ts";

export type TtmlOptions = { readonly language?: string | undefined; readonly isImsc?: boolean };

const namespaces = [
  'xmlns="http://www.w3.org/ns/ttml"',
  'xmlns:ttp="http://www.w3.org/ns/ttml#parameter"',
  'xmlns:tts="http://www.w3.org/ns/ttml#styling"',
];

/** TTML that counts media time; as IMSC 1 it says so. */
export const printTtml = (cues: readonly Cue[], { language = "", isImsc = false }: TtmlOptions = {}): string => {
  const profile = isImsc ? ' ttp:profile="http://www.w3.org/ns/ttml/profile/imsc1/text"' : "";
  return `<?xml version="1.0" encoding="UTF-8"?>
<tt ${namespaces.join(" ")} ttp:timeBase="media"${profile} xml:lang="${escapeXml(language).replaceAll('"', "")}">
  <head>
    <styling>
      <style xml:id="plain" tts:fontFamily="proportionalSansSerif" tts:color="white" tts:textAlign="center"/>
    </styling>
    <layout>
      <region xml:id="bottom" tts:origin="10% 70%" tts:extent="80% 20%" tts:displayAlign="after"/>
      <region xml:id="top" tts:origin="10% 10%" tts:extent="80% 20%" tts:displayAlign="before"/>
    </layout>
  </head>
  <body style="plain">
    <div>
${cues.map(paragraph).join("")}    </div>
  </body>
</tt>
`;
};

const paragraph = ({ from, to, lines, isTop }: Cue): string => {
  const times = `begin="${printClock(from, ".")}" end="${printClock(to, ".")}"`;
  const text = lines.map((line) => line.map(printSpan).join("")).join("<br/>");
  return `      <p ${times} region="${isTop ? "top" : "bottom"}">${text}</p>\n`;
};

const printSpan = ({ text, italic, bold, underline, color, language }: Span): string => {
  const looks = [
    italic && 'tts:fontStyle="italic"',
    bold && 'tts:fontWeight="bold"',
    underline && 'tts:textDecoration="underline"',
    color && `tts:color="${color}"`,
    language && `xml:lang="${escapeXml(language).replaceAll('"', "")}"`,
  ].filter(Boolean);
  const plain = escapeXml(text);
  return looks.length === 0 ? plain : `<span ${looks.join(" ")}>${plain}</span>`;
};
